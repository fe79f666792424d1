(module name: (_) @name) @module
(class name: (_) @name) @class
(method name: (_) @name) @method
(singleton_method name: (_) @name) @method
(assignment left: (constant) @name) @constant

(call !receiver method: (identifier) @when.attr_accessor arguments: (argument_list (simple_symbol) @name)) @property
(call !receiver method: (identifier) @when.attr_reader arguments: (argument_list (simple_symbol) @name)) @property
(call !receiver method: (identifier) @when.attr_writer arguments: (argument_list (simple_symbol) @name)) @property
(call !receiver method: (identifier) @when.define_method arguments: (argument_list . (simple_symbol) @name)) @method

(call !receiver method: (identifier) @when.require arguments: (argument_list . (string . (string_content) @import .)))
(call !receiver method: (identifier) @when.require_relative arguments: (argument_list . (string . (string_content) @import.relative .)))
