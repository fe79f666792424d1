(function_item name: (identifier) @name) @function
(function_signature_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name) @struct
(union_item name: (type_identifier) @name) @struct
(enum_item name: (type_identifier) @name) @enum
(trait_item name: (type_identifier) @name) @trait
(type_item name: (type_identifier) @name) @type
(associated_type name: (type_identifier) @name) @type
(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name) @variable
(mod_item name: (identifier) @name body: (_)) @module
(macro_definition name: (identifier) @name) @macro

; An impl block is no thing of its own: it lends its members the name of the type.
(impl_item type: (_) @name) @scope

(attribute_item) @attribute

(mod_item name: (identifier) @import.module !body)
(use_declaration argument: (_) @import)
