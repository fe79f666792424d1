(package_clause name: (package_identifier) @package)

(class_definition name: (identifier) @name) @class
(object_definition name: (identifier) @name) @class
(package_object name: (identifier) @name) @module
(trait_definition name: (identifier) @name) @trait
(enum_definition name: (identifier) @name) @enum
(function_definition name: (_) @name) @function
(function_declaration name: (_) @name) @function
(type_definition name: (type_identifier) @name) @type

(compilation_unit (val_definition pattern: (identifier) @name) @constant)
(object_definition body: (template_body (val_definition pattern: (identifier) @name) @constant))
(package_object body: (template_body (val_definition pattern: (identifier) @name) @constant))
(compilation_unit (var_definition pattern: (identifier) @name) @variable)

(import_declaration) @import
