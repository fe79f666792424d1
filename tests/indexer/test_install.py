"""Installing in a client: every file comes back byte for byte, and nothing but our entry ever changes."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from indexer import install, jsonc, settings
from indexer.clients import CLIENTS, SERVER, Place, named
from indexer.errors import BadInput, Unavailable

COMMAND = ("/opt/lore watch/bin/lorewatch",)
OURS = {"command": COMMAND[0], "args": ["mcp"]}

SHAPES = {
    "empty": "",
    "empty object": "{}",
    "empty object over lines": "{\n}\n",
    "other settings": '{\n  "theme": "dark",\n  "list": [1, 2.50, 1e3]\n}\n',
    "other servers": '{\n    "mcpServers": {\n        "a": {"command": "x", "args": []}\n    },\n    "z": 1\n}\n',
    "empty section": '{\n  "a": 1,\n  "mcpServers": {}\n}\n',
    "comments": (
        '// my settings\n{\n  "mcpServers": {\n    // the first\n'
        '    "a": {"command": "x"} // said so\n    /* last */\n  }\n}\n'
    ),
    "comment in an empty section": '{\n  "mcpServers": {\n    // add servers here\n  }\n}\n',
    "trailing commas": '{\n  "mcpServers": {\n    "a": {"command": "x",}, // mine\n  },\n}\n',
    "byte order mark": '\ufeff{\n  "mcpServers": {"a": {"command": "x"}}\n}\n',
    "CRLF": '{\r\n  "mcpServers": {\r\n    "a": {"command": "x"}\r\n  }\r\n}\r\n',
    "tabs": '{\n\t"mcpServers": {\n\t\t"a": {\n\t\t\t"command": "x"\n\t\t}\n\t}\n}',
    "unicode": '{\n  "имя": "значение \u2028 😀",\n  "mcpServers": {\n    "日本": {"command": "\\u0041"}\n  }\n}\n',
    "one line": '{"a":1,"mcpServers":{"b":{"command":"x"}}}',
    "one line, no servers": '{"a": {}}',
}

TOML_SHAPES = {
    "empty": "",
    "other settings": 'model = "x" # mine\n\n[features]\na = true',
    "other servers": '[mcp_servers.a]\ncommand = "x" # why\n\n[mcp_servers.a.env]\nK = "v"\n\n# the end\n',
    "dotted keys": 'mcp_servers.a.command = "x"\n',
    "out of order": '[mcp_servers.a]\ncommand = "x"\n[tui]\nb = 1\n[mcp_servers.c]\ncommand = "y"\n',
    "CRLF": '# top\r\n[mcp_servers.a]\r\ncommand = "x"\r\n',
    "byte order mark": "\ufeff[tui]\na = 1\n",
    "unicode": '[projects."/дом/日本"]\ntrust = "yes"\n',
}

Case = tuple[str, str]


def cases() -> list[Case]:
    """Every client with every shape of file that it reads."""
    pairs = []
    for client in CLIENTS.values():
        section = client.section[0]
        if client.form == "toml":
            pairs += [(client.name, text) for text in TOML_SHAPES.values()]
        elif client.form == "json":
            texts = [text.replace("mcpServers", section) for text in SHAPES.values()]
            pairs += [(client.name, t) for t in texts if not client.strict or not t.strip() or is_strict(t)]
    return pairs


def is_strict(text: str) -> bool:
    return jsonc.parse(text.removeprefix("\ufeff")).strict


def settings_file(client: str, home: Path) -> Path:
    return planned(client, home).file


def planned(client: str, home: Path, command: tuple[str, ...] = COMMAND, **environ: str) -> install.Plan:
    return install.plan(client, home=home, command=command, environ=environ, platform="linux")


def install_in(client: str, home: Path, command: tuple[str, ...] = COMMAND, **environ: str) -> install.Plan:
    plan = planned(client, home, command, **environ)
    install.apply(plan)
    return plan


def uninstall_from(client: str, home: Path) -> install.Plan:
    plan = install.uninstall_plan(client, home=home, environ={}, platform="linux")
    install.apply(plan)
    return plan


def put(client: str, home: Path, text: str) -> Path:
    file = named(client).file(Place(home, {}, "linux"))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())
    return file


def servers(client: str, file: Path) -> Mapping[str, object]:
    text = file.read_text(encoding="utf-8-sig")
    parsed = tomlkit.parse(text).unwrap() if named(client).form == "toml" else jsonc.parse(text).root.value
    found = jsonc.at(parsed, named(client).section)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(("client", "text"), cases())
def test_installing_twice_and_uninstalling_gives_back_every_byte(client: str, text: str, tmp_path: Path) -> None:
    file = put(client, tmp_path, text)

    assert install_in(client, tmp_path).action == "add"
    once = file.read_bytes()
    assert SERVER in servers(client, file)
    assert install_in(client, tmp_path).action == "present"
    assert file.read_bytes() == once
    assert uninstall_from(client, tmp_path).action == "remove"

    assert file.read_bytes() == text.encode()
    assert [path.name for path in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize(("client", "text"), cases())
def test_uninstalling_without_the_backup_loses_no_setting_and_no_comment(
    client: str, text: str, tmp_path: Path
) -> None:
    file = put(client, tmp_path, text)
    install_in(client, tmp_path)
    file.with_name(f"{file.name}.lorewatch-backup").write_text("# older\n", encoding="utf-8")

    uninstall_from(client, tmp_path)

    left, before = file.read_bytes().decode(), text or "{}"
    assert SERVER not in left
    if named(client).form == "json":
        old, new = (jsonc.parse(t.removeprefix("\ufeff")) for t in (before, left))
        assert old.comments == new.comments
        section = named(client).section[0]
        assert isinstance(old.root.value, dict)
        assert new.root.value == {section: {}, **old.root.value}
    else:
        assert left.strip() == text.strip()


@pytest.mark.parametrize("client", [name for name, client in CLIENTS.items() if client.form != "yaml"])
def test_a_file_that_was_not_there_is_created_for_the_user_alone_and_deleted_again(client: str, tmp_path: Path) -> None:
    plan = install_in(client, tmp_path)

    assert plan.before is None
    assert stat.S_IMODE(plan.file.stat().st_mode) == 0o600
    assert SERVER in servers(client, plan.file)
    assert install_in(client, tmp_path).action == "present"
    uninstall_from(client, tmp_path)
    assert not plan.file.exists()


@pytest.mark.parametrize("client", [name for name, client in CLIENTS.items() if client.form != "yaml"])
def test_an_older_entry_of_ours_is_brought_up_to_date_and_the_others_stay(client: str, tmp_path: Path) -> None:
    install_in(client, tmp_path, ("/old/lorewatch",), LOREWATCH_HOME="/data")
    file = settings_file(client, tmp_path)

    assert install_in(client, tmp_path).action == "update"

    text = file.read_text(encoding="utf-8")
    assert COMMAND[0] in text
    assert "/old/" not in text
    assert "/data" in text
    assert install_in(client, tmp_path).action == "present"
    uninstall_from(client, tmp_path)
    assert SERVER not in (file.read_text(encoding="utf-8") if file.exists() else "")


def test_an_update_keeps_what_the_user_added_to_our_entry_and_the_layout_around(tmp_path: Path) -> None:
    text = (
        '{"mcpServers": {\n    "a": {"command":  "x"}, // first\n    "lorewatch": {\n      "command": "/old", // ours\n'
        '      "args": ["mcp"],\n      "autoApprove": ["search"]\n    }\n}}\n'
    )
    file = put("kiro", tmp_path, text)

    assert install_in("kiro", tmp_path).action == "update"

    assert file.read_text(encoding="utf-8") == text.replace("/old", COMMAND[0])


def test_an_update_by_a_new_command_leaves_the_way_back_to_the_first_text(tmp_path: Path) -> None:
    file = put("cursor", tmp_path, SHAPES["tabs"])
    install_in("cursor", tmp_path, ("/old/lorewatch",))

    install_in("cursor", tmp_path)
    uninstall_from("cursor", tmp_path)

    assert file.read_text(encoding="utf-8") == SHAPES["tabs"]


def test_an_entry_that_spoke_http_is_replaced_whole(tmp_path: Path) -> None:
    entry = {"type": "http", "url": "http://127.0.0.1:7420/mcp", "headers": {"a": "b"}}
    file = put("cursor", tmp_path, json.dumps({"mcpServers": {SERVER: entry}}))

    install_in("cursor", tmp_path)

    assert servers("cursor", file)[SERVER] == OURS


def test_an_update_of_toml_keeps_the_comments_and_the_other_tables(tmp_path: Path) -> None:
    text = (
        '# top\n[mcp_servers.a]\ncommand = "x" # one\n\n[mcp_servers.lorewatch] # ours\ncommand = "/old" # two\n'
        'args = ["mcp"]\nstartup_timeout_sec = 20\n\n# next\n[tui]\nb = 1\n'
    )
    file = put("codex", tmp_path, text)

    assert install_in("codex", tmp_path).action == "update"

    assert file.read_text(encoding="utf-8") == text.replace("/old", COMMAND[0])


def test_a_new_entry_follows_the_indentation_around_it(tmp_path: Path) -> None:
    file = put("cursor", tmp_path, SHAPES["tabs"])

    install_in("cursor", tmp_path)

    entry = (
        '\t\t"lorewatch": {\n\t\t\t"command": "/opt/lore watch/bin/lorewatch",\n'
        '\t\t\t"args": [\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t}'
    )
    assert file.read_text(encoding="utf-8") == SHAPES["tabs"].replace("\n\t\t}\n\t}", "\n\t\t},\n" + entry + "\n\t}")


def test_an_entry_after_a_comment_leaves_the_comment_with_its_neighbour(tmp_path: Path) -> None:
    file = put("cursor", tmp_path, SHAPES["comments"])

    install_in("cursor", tmp_path)

    assert '"a": {"command": "x"}, // said so\n    "lorewatch": {' in file.read_text(encoding="utf-8")


def test_windows_line_ends_are_the_only_ones_in_a_file_that_had_them(tmp_path: Path) -> None:
    for client, text in (("cursor", SHAPES["CRLF"]), ("codex", TOML_SHAPES["CRLF"])):
        file = put(client, tmp_path, text)
        install_in(client, tmp_path)
        assert b"\n" not in file.read_bytes().replace(b"\r\n", b"")


@pytest.mark.parametrize(
    ("client", "text"),
    [
        ("cursor", '{"mcpServers": '),
        ("cursor", "{'a': 1}"),
        ("cursor", "[]"),
        ("cursor", '{"a": 1} {"b": 2}'),
        ("cursor", '{"mcpServers": []}'),
        ("cursor", '{"mcpServers": "x"}'),
        ("cursor", '{"mcpServers": {}, "mcpServers": {}}'),
        ("cursor", "[" * 5000),
        ("cursor", '{"a": "\\x"}'),
        ("cursor", '{"mcpServers": {"lorewatch": {"command": "/old", "args": [/* why */ "mcp2"]}}}'),
        ("claude-desktop", '{"mcpServers": {}, }'),
        ("claude-desktop", '{"mcpServers": {} /* none */}'),
        ("codex", "[mcp_servers"),
        ("codex", 'mcp_servers = "x"\n'),
        ("codex", 'mcp_servers = { a = { command = "x" } }\n'),
    ],
)
def test_what_cannot_be_edited_safely_is_refused_in_one_line_and_left_alone(
    client: str, text: str, tmp_path: Path
) -> None:
    file = put(client, tmp_path, text)

    with pytest.raises(BadInput) as refused:
        install_in(client, tmp_path)

    assert "\n" not in str(refused.value)
    assert str(refused.value).startswith(str(file))
    assert file.read_text(encoding="utf-8") == text
    assert len(list(file.parent.iterdir())) == 1


def test_a_refusal_shows_the_entry_to_paste(tmp_path: Path) -> None:
    put("codex", tmp_path, 'mcp_servers = { a = { command = "x" } }\n')

    with pytest.raises(BadInput, match=r'"mcp_servers" by hand: "lorewatch": \{"command"'):
        install_in("codex", tmp_path)


def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    put("cursor", tmp_path, "").write_bytes('{"a": "ü"}'.encode("latin-1"))

    with pytest.raises(BadInput, match="not UTF-8"):
        install_in("cursor", tmp_path)


def test_a_folder_or_pipe_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    file = settings_file("cursor", tmp_path)
    file.mkdir(parents=True)
    with pytest.raises(BadInput, match="no regular file"):
        install_in("cursor", tmp_path)
    file.rmdir()
    os.mkfifo(file)
    with pytest.raises(BadInput, match="no regular file"):
        install_in("cursor", tmp_path)


def test_a_linked_file_is_edited_where_it_lies_and_stays_a_link(tmp_path: Path) -> None:
    link = settings_file("cursor", tmp_path)
    link.parent.mkdir()
    real = tmp_path / "dotfiles" / "cursor.json"
    real.parent.mkdir()
    real.write_text(SHAPES["other servers"], encoding="utf-8")
    link.symlink_to(real)

    install_in("cursor", tmp_path)
    assert SERVER in servers("cursor", real)
    assert link.is_symlink()
    uninstall_from("cursor", tmp_path)

    assert real.read_text(encoding="utf-8") == SHAPES["other servers"]
    assert link.is_symlink()
    assert list(real.parent.iterdir()) == [real]


def test_the_mode_of_the_file_is_kept_and_the_backup_has_it_too(tmp_path: Path) -> None:
    file = put("cursor", tmp_path, "{}")
    file.chmod(0o640)

    install_in("cursor", tmp_path)

    assert {stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()} == {0o640}


def test_a_folder_that_cannot_be_written_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = put("cursor", tmp_path, "{}")
    plan = planned("cursor", tmp_path)

    def refuse(**_: object) -> tuple[int, str]:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkstemp", refuse)  # root, as whom this may run, is stopped by no mode

    with pytest.raises(Unavailable, match=r"mcp\.json cannot be written: Permission denied"):
        install.apply(plan)
    assert [path.name for path in file.parent.iterdir()] == [file.name]


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes into read-only folders")
def test_a_read_only_folder_is_a_clear_error(tmp_path: Path) -> None:
    file = put("cursor", tmp_path, "{}")
    file.parent.chmod(0o500)
    try:
        with pytest.raises(Unavailable, match="Permission denied"):
            install_in("cursor", tmp_path)
    finally:
        file.parent.chmod(0o700)


def test_a_file_where_the_folder_should_be_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / ".cursor").write_text("", encoding="utf-8")

    with pytest.raises(Unavailable, match="Not a directory"):
        install_in("cursor", tmp_path)


def test_a_failing_write_leaves_the_old_file_and_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = put("cursor", tmp_path, "{}")
    plan = planned("cursor", tmp_path)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)

    with pytest.raises(Unavailable, match="No space left"):
        install.apply(plan)
    assert file.read_text(encoding="utf-8") == "{}"
    assert list(file.parent.iterdir()) == [file]


def test_a_file_that_changes_between_plan_and_write_is_left_alone(tmp_path: Path) -> None:
    file = put("cursor", tmp_path, "{}")
    plan = planned("cursor", tmp_path)
    file.write_text('{"a": 1}', encoding="utf-8")

    with pytest.raises(BadInput, match="changed meanwhile"):
        install.apply(plan)
    assert file.read_text(encoding="utf-8") == '{"a": 1}'


def test_an_edit_of_the_user_after_ours_survives_the_removal(tmp_path: Path) -> None:
    file = put("cursor", tmp_path, SHAPES["other servers"])
    install_in("cursor", tmp_path)
    file.write_text(file.read_text(encoding="utf-8").replace('"z": 1', '"z": 2'), encoding="utf-8")

    uninstall_from("cursor", tmp_path)

    assert file.read_text(encoding="utf-8") == SHAPES["other servers"].replace('"z": 1', '"z": 2')


def test_uninstalling_what_is_not_installed_changes_nothing(tmp_path: Path) -> None:
    assert uninstall_from("cursor", tmp_path).action == "absent"
    file = put("codex", tmp_path, TOML_SHAPES["other servers"])
    assert uninstall_from("codex", tmp_path).action == "absent"
    assert file.read_text(encoding="utf-8") == TOML_SHAPES["other servers"]


def test_without_apply_nothing_is_written_and_the_change_is_shown(tmp_path: Path) -> None:
    answer = install.install_answer("claude-code", write=False, home=tmp_path, command=COMMAND, environ={})

    assert list(tmp_path.iterdir()) == []
    assert (answer["action"], answer["applied"]) == ("add", False)
    assert answer["file"] == str(tmp_path / ".claude.json")
    assert f'+      "command": "{COMMAND[0]}"' in str(answer["diff"])
    assert json.loads(str(answer["snippet"])) == {"mcpServers": {SERVER: {"type": "stdio", **OURS}}}
    assert "--apply" in str(answer["next"])
    json.dumps(answer)


def test_the_diff_shows_no_neighbour_beyond_one_line(tmp_path: Path) -> None:
    text = '{\n  "mcpServers": {\n    "a": {\n      "env": {\n        "KEY": "hush"\n      }\n    }\n  }\n}\n'
    put("cursor", tmp_path, text)

    answer = install.install_answer("cursor", write=True, home=tmp_path, command=COMMAND, environ={})

    assert answer["applied"] is True
    assert "lorewatch" in str(answer["diff"])
    assert "hush" not in str(answer["diff"])


def test_an_installation_with_sudo_is_refused(tmp_path: Path) -> None:
    environ = {"SUDO_USER": "me"}

    with pytest.raises(BadInput, match="sudo"):
        install.install_answer("cursor", write=True, home=tmp_path, command=COMMAND, environ=environ)
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_client_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="claude-code, claude-desktop, cline, codex"):
        planned("emacs", tmp_path)


def test_a_yaml_client_gets_the_snippet_and_its_file_is_left_alone(tmp_path: Path) -> None:
    file = put("goose", tmp_path, "extensions:\n  a: {}\n")

    plan = install_in("goose", tmp_path)

    assert plan.action == "manual"
    assert plan.snippet.startswith('extensions:\n  lorewatch:\n    name: "lorewatch"\n')
    assert file.read_text(encoding="utf-8") == "extensions:\n  a: {}\n"
    assert str(file) in plan.steps[0]


def test_an_existing_commented_settings_file_is_preferred_to_a_new_one(tmp_path: Path) -> None:
    folder = tmp_path / ".config" / "opencode"
    folder.mkdir(parents=True)
    (folder / "opencode.jsonc").write_text("{ /* mine */ }", encoding="utf-8")

    install_in("opencode", tmp_path)

    assert [path.name for path in sorted(folder.iterdir())] == ["opencode.jsonc", "opencode.jsonc.lorewatch-backup"]


@pytest.mark.parametrize(
    ("client", "environ", "platform", "expected"),
    [
        ("codex", {"CODEX_HOME": "/c"}, "linux", "/c/config.toml"),
        ("claude-code", {"CLAUDE_CONFIG_DIR": "/c"}, "linux", "/c/.claude.json"),
        ("zed", {"XDG_CONFIG_HOME": "/x"}, "linux", "/x/zed/settings.json"),
        ("zed", {}, "darwin", "/h/.config/zed/settings.json"),
        ("claude-desktop", {}, "darwin", "/h/Library/Application Support/Claude/claude_desktop_config.json"),
        ("vscode", {"APPDATA": "/r"}, "win32", "/r/Code/User/mcp.json"),
        ("cline", {"CLINE_DATA_DIR": "/d"}, "linux", "/d/settings/cline_mcp_settings.json"),
        ("windsurf", {}, "linux", "/h/.codeium/windsurf/mcp_config.json"),
    ],
)
def test_the_settings_are_looked_for_where_the_client_reads_them(
    client: str, environ: Mapping[str, str], platform: str, expected: str
) -> None:
    plan = install.plan(client, home=Path("/h"), command=COMMAND, environ=environ, platform=platform)
    assert plan.file.as_posix() == expected


def test_a_moved_data_folder_is_passed_on_because_clients_hide_the_environment(tmp_path: Path) -> None:
    plan = planned("codex", tmp_path, LOREWATCH_HOME="/data", OPENAI_API_KEY="hush")

    assert '[mcp_servers.lorewatch.env]\nLOREWATCH_HOME = "/data"' in str(plan.after)
    assert "hush" not in str(plan.after)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
layouts = st.sampled_from([None, 1, 2, 4, "\t"])


@given(st.dictionaries(st.text(), json_values, max_size=4), st.dictionaries(st.text(), json_values), layouts)
def test_any_settings_take_the_entry_and_give_it_back(
    others: dict[str, object], neighbours: dict[str, object], layout: int | str | None
) -> None:
    client = named("cursor")
    neighbours.pop(SERVER, None)
    text = json.dumps({**others, "mcpServers": neighbours}, indent=layout, ensure_ascii=False)

    with_ours = settings.with_entry(client, text, {**OURS})

    assert json.loads(with_ours) == {**others, "mcpServers": {**neighbours, SERVER: OURS}}
    assert settings.with_entry(client, with_ours, {**OURS}) == with_ours
    assert settings.without_entry(client, with_ours) == text


@given(st.text(alphabet='{}[]",:/*\\ \n\t1aé', max_size=40))
def test_any_text_is_edited_or_refused_but_never_breaks_the_program(text: str) -> None:
    try:
        after = settings.with_entry(named("cursor"), text, {**OURS})
    except settings.SettingsError:
        return
    assert settings.entry_in(named("cursor"), after) == OURS
