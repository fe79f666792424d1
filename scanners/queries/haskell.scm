; Of a signature and the clauses below it the first stands for the function.
(declarations (signature name: (variable) @name) @function)
(declarations (function name: (variable) @name match: (_) @body) @function)
(declarations (bind name: (variable) @name match: (_) @body) @function)
(class_declarations (signature name: (variable) @name) @method)

(data_type name: (name) @name constructors: (_)? @body) @type
(newtype name: (name) @name constructor: (_)? @body) @type
(type_synonym name: (name) @name) @type
(class name: (name) @name declarations: (_)? @body) @trait

(header module: (module) @package)
(import module: (module) @import)
