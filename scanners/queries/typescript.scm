(function_declaration name: (identifier) @name) @function
(function_signature name: (identifier) @name) @function
(function_expression name: (identifier) @name) @function
(generator_function name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(class_declaration name: (type_identifier) @name) @class
(abstract_class_declaration name: (type_identifier) @name) @class
(interface_declaration name: (type_identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(type_alias_declaration name: (type_identifier) @name) @type
(internal_module name: [(identifier) (nested_identifier)] @name) @module
(module name: [(identifier) (nested_identifier)] @name) @module
(module name: (string (string_fragment) @name)) @module

(method_definition name: [(property_identifier) (private_property_identifier)] @name) @method
(method_signature name: [(property_identifier) (private_property_identifier)] @name) @method
(abstract_method_signature name: [(property_identifier) (private_property_identifier)] @name) @method

(variable_declarator name: (identifier) @name value: (arrow_function body: (_) @body)) @function
(variable_declarator name: (identifier) @name value: (function_expression body: (_) @body)) @function
(variable_declarator name: (identifier) @name value: (generator_function body: (_) @body)) @function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @class
(public_field_definition name: (property_identifier) @name value: (arrow_function body: (_) @body)) @method
(public_field_definition name: (property_identifier) @name value: (function_expression body: (_) @body)) @method
(pair key: (property_identifier) @name value: (function_expression body: (_) @body)) @method
(pair key: (property_identifier) @name value: (arrow_function body: (_) @body)) @method

(assignment_expression
  left: (member_expression object: (_) @owner property: (property_identifier) @name)
  right: [(function_expression body: (_) @body) (arrow_function body: (_) @body)]) @function

; What is only another name for a module is an import.
(variable_declarator name: (identifier) @name value: (call_expression function: (identifier) @when.require)) @ignored
(program (lexical_declaration "const" (variable_declarator name: (identifier) @name) @constant))
(program (export_statement (lexical_declaration "const" (variable_declarator name: (identifier) @name) @constant)))
(ambient_declaration (lexical_declaration "const" (variable_declarator name: (identifier) @name) @constant))
(program (lexical_declaration "let" (variable_declarator name: (identifier) @name) @variable))
(program (export_statement (lexical_declaration "let" (variable_declarator name: (identifier) @name) @variable)))
(program (variable_declaration (variable_declarator name: (identifier) @name) @variable))
(internal_module body: (statement_block (export_statement (lexical_declaration "const"
  (variable_declarator name: (identifier) @name) @constant))))

(decorator) @attribute

(export_specifier name: (identifier) @exported)
(export_statement value: (identifier) @exported)

(import_statement source: (string (string_fragment) @import))
(import_require_clause source: (string (string_fragment) @import))
(export_statement source: (string (string_fragment) @import))
(call_expression function: (identifier) @when.require arguments: (arguments . (string (string_fragment) @import)))
(call_expression function: (import) arguments: (arguments . (string (string_fragment) @import)))
