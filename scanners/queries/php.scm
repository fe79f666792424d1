(namespace_definition name: (namespace_name) @package)

(class_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(trait_declaration name: (name) @name) @trait
(enum_declaration name: (name) @name) @enum
(function_definition name: (name) @name) @function
(method_declaration name: (name) @name) @method
(const_declaration (const_element . (name) @name)) @constant
(function_call_expression function: (name) @when.define
  arguments: (arguments . (argument (string (string_content) @name)))) @constant
(function_call_expression function: (name) @when.define
  arguments: (arguments . (argument (encapsed_string . (string_content) @name .)))) @constant

(namespace_use_declaration (namespace_use_clause . [(qualified_name) (name)] @import))
(namespace_use_declaration (namespace_name) @import
  body: (namespace_use_group (namespace_use_clause . [(qualified_name) (name)] @item)))
(require_expression (string (string_content) @import.include))
(require_once_expression (string (string_content) @import.include))
(include_expression (string (string_content) @import.include))
(include_once_expression (string (string_content) @import.include))
