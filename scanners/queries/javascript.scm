(function_declaration name: (identifier) @name) @function
(function_expression name: (identifier) @name) @function
(generator_function name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(class_declaration name: (identifier) @name) @class
(method_definition name: [(property_identifier) (private_property_identifier)] @name) @method

(variable_declarator name: (identifier) @name value: (arrow_function body: (_) @body)) @function
(variable_declarator name: (identifier) @name value: (function_expression body: (_) @body)) @function
(variable_declarator name: (identifier) @name value: (generator_function body: (_) @body)) @function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @class
(field_definition property: (property_identifier) @name value: (arrow_function body: (_) @body)) @method
(field_definition property: (property_identifier) @name value: (function_expression body: (_) @body)) @method
(pair key: (property_identifier) @name value: (function_expression body: (_) @body)) @method
(pair key: (property_identifier) @name value: (arrow_function body: (_) @body)) @method

; `Foo.prototype.bar = function () {}` and `exports.bar = () => {}`
(assignment_expression
  left: (member_expression object: (_) @owner property: (property_identifier) @name)
  right: [(function_expression body: (_) @body) (arrow_function body: (_) @body)]) @function

; What is only another name for a module is an import.
(variable_declarator name: (identifier) @name value: (call_expression function: (identifier) @when.require)) @ignored
(program (lexical_declaration "const" (variable_declarator name: (identifier) @name) @constant))
(program (export_statement (lexical_declaration "const" (variable_declarator name: (identifier) @name) @constant)))
(program (lexical_declaration "let" (variable_declarator name: (identifier) @name) @variable))
(program (export_statement (lexical_declaration "let" (variable_declarator name: (identifier) @name) @variable)))
(program (variable_declaration (variable_declarator name: (identifier) @name) @variable))

(decorator) @attribute

(export_specifier name: (identifier) @exported)
(export_statement value: (identifier) @exported)

(import_statement source: (string (string_fragment) @import))
(export_statement source: (string (string_fragment) @import))
(call_expression function: (identifier) @when.require arguments: (arguments . (string (string_fragment) @import)))
(call_expression function: (import) arguments: (arguments . (string (string_fragment) @import)))
