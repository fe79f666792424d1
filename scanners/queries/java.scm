(package_declaration [(scoped_identifier) (identifier)] @package)

(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(annotation_type_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(compact_constructor_declaration name: (identifier) @name) @method
(annotation_type_element_declaration name: (identifier) @name) @method

(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @constant
(field_declaration (modifiers "static" "final") declarator: (variable_declarator name: (identifier) @name)) @constant
(field_declaration (modifiers "final" "static") declarator: (variable_declarator name: (identifier) @name)) @constant

(import_declaration [(scoped_identifier) (identifier)] @import)
