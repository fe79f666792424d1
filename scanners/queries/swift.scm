(class_declaration "struct" name: (type_identifier) @name) @struct
(class_declaration "enum" name: (type_identifier) @name) @enum
(class_declaration "extension" name: (_) @name) @scope
(class_declaration ["class" "actor"] name: (type_identifier) @name) @class
(protocol_declaration name: (type_identifier) @name) @interface
(function_declaration "func" . name: (_) @name) @function
(protocol_function_declaration "func" . name: (_) @name) @method
(init_declaration "init" @name) @method
(protocol_function_declaration "init" @name) @method
(typealias_declaration name: (type_identifier) @name) @type
(associatedtype_declaration name: (type_identifier) @name) @type

(source_file (property_declaration (value_binding_pattern "let") name: (pattern bound_identifier: (simple_identifier) @name)) @constant)
(source_file (property_declaration (value_binding_pattern "var") name: (pattern bound_identifier: (simple_identifier) @name)) @variable)

(import_declaration (identifier) @import)
