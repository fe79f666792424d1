(package_header (qualified_identifier) @package)

(class_declaration (modifiers (class_modifier "enum")) name: (identifier) @name [(class_body) (enum_class_body)]? @body) @enum
(class_declaration "interface" name: (identifier) @name (class_body)? @body) @interface
(class_declaration name: (identifier) @name (class_body)? @body) @class
(object_declaration name: (identifier) @name (class_body)? @body) @class
(companion_object name: (identifier) @name (class_body)? @body) @class
(function_declaration name: (identifier) @name (function_body)? @body) @function
(secondary_constructor "constructor" @name (block)? @body) @method
(type_alias type: (identifier) @name) @type

(source_file (property_declaration (modifiers (property_modifier "const")) (variable_declaration . (identifier) @name)) @constant)
(object_declaration (class_body (property_declaration (modifiers (property_modifier "const")) (variable_declaration . (identifier) @name)) @constant))
(companion_object (class_body (property_declaration (modifiers (property_modifier "const")) (variable_declaration . (identifier) @name)) @constant))
(source_file (property_declaration (variable_declaration . (identifier) @name)) @variable)

(import (qualified_identifier) @import)

; After an annotation with arguments the grammar takes `class` for an operator between two names.
(infix_expression . (identifier) @when.class . (identifier) @name (lambda_literal)? @body) @class
(infix_expression . (identifier) @when.annotation . (identifier) @when.class . (identifier) @name) @class
(infix_expression . (identifier) @when.interface . (identifier) @name (lambda_literal)? @body) @interface
