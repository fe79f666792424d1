(function_definition name: (identifier) @name) @function
(class_definition name: (identifier) @name) @class
(assignment left: (identifier) @name right: (lambda body: (_) @body)) @function
(type_alias_statement left: (type (identifier) @name)) @type
(type_alias_statement left: (type (generic_type (identifier) @name))) @type

; Names bound at the level of the module; `a = b = 1` and tuples bind no single thing worth an entry.
(module (expression_statement (assignment left: (identifier) @name) @variable))

(decorator) @attribute

(assignment left: (identifier) @when.__all__
  right: [(list (string (string_content) @exported)) (tuple (string (string_content) @exported))])

(import_statement name: (dotted_name) @import)
(import_statement name: (aliased_import name: (dotted_name) @import))
(import_from_statement module_name: (_) @import (wildcard_import))
(import_from_statement module_name: (_) @import name: (dotted_name) @item)
(import_from_statement module_name: (_) @import name: (aliased_import name: (dotted_name) @item))
