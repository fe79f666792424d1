(namespace_definition name: (_) @name body: (_)) @scope

(function_definition declarator: (function_declarator
  declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name) (destructor_name)] @name)) @function
(function_definition declarator: (pointer_declarator declarator: (function_declarator
  declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name)] @name))) @function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator
  declarator: [(identifier) (field_identifier) (qualified_identifier)] @name)))) @function
(function_definition declarator: (reference_declarator (function_declarator
  declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name)] @name))) @function

; Declared without a body: members of a class, and prototypes at the level of a file or namespace.
(field_declaration declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name)) @method
(field_declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))) @method
(field_declaration declarator: (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))) @method
(field_declaration_list (declaration declarator: (function_declarator declarator: [(identifier) (destructor_name)] @name)) @method)
(translation_unit (declaration declarator: (function_declarator declarator: (identifier) @name)) @function)
(declaration_list (declaration declarator: (function_declarator declarator: (identifier) @name)) @function)
(preproc_ifdef (declaration declarator: (function_declarator declarator: (identifier) @name)) @function)
(preproc_if (declaration declarator: (function_declarator declarator: (identifier) @name)) @function)
(translation_unit (declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @function)
(declaration_list (declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @function)
(preproc_ifdef (declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @function)

(class_specifier name: (_) @name body: (_)) @class
(struct_specifier name: (_) @name body: (_)) @struct
(union_specifier name: (_) @name body: (_)) @struct
(enum_specifier name: (_) @name body: (_)) @enum
(alias_declaration name: (type_identifier) @name) @type
(concept_definition name: (identifier) @name) @type
(type_definition declarator: (type_identifier) @name) @type
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @type
(type_definition declarator: (array_declarator declarator: (type_identifier) @name)) @type
(type_definition declarator: (function_declarator declarator: (type_identifier) @name)) @type
(type_definition declarator: (function_declarator declarator: (parenthesized_declarator
  (pointer_declarator declarator: (type_identifier) @name)))) @type

(preproc_function_def name: (identifier) @name value: (_)? @body) @macro
(preproc_def name: (identifier) @name value: (_)) @macro

(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @name)) @variable)
(namespace_definition body: (declaration_list (declaration declarator: (init_declarator declarator: (identifier) @name)) @variable))

(preproc_include path: (_) @import)
