; A namespace is to C# what a package is to Java: it names the file, not its members.
(file_scoped_namespace_declaration name: (_) @package)
(namespace_declaration name: (_) @package)

(class_declaration name: (identifier) @name) @class
(record_declaration "struct" name: (identifier) @name) @struct
(record_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @struct
(interface_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(delegate_declaration name: (identifier) @name) @type
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(local_function_statement name: (identifier) @name) @function
(property_declaration name: (identifier) @name accessors: (_) @body) @property
(property_declaration name: (identifier) @name value: (_) @body) @property

(field_declaration (modifier "const") (variable_declaration (variable_declarator name: (identifier) @name))) @constant
(field_declaration (modifier "static") (modifier "readonly") (variable_declaration (variable_declarator name: (identifier) @name))) @constant

(using_directive !name [(qualified_name) (identifier)] @import)
(using_directive name: (_) (qualified_name) @import)
