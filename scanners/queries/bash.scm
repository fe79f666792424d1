(function_definition name: (word) @name) @function

(program (variable_assignment name: (variable_name) @name) @variable)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @variable)

(command name: (command_name) @when.source argument: [(word) (string . (string_content) .) (raw_string)] @import)
(command name: (command_name) @when.. argument: [(word) (string . (string_content) .) (raw_string)] @import)
