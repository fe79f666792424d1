(create_table (object_reference schema: (identifier)? @owner name: (identifier) @name)) @struct
(create_view (object_reference schema: (identifier)? @owner name: (identifier) @name)) @struct
(create_materialized_view (object_reference schema: (identifier)? @owner name: (identifier) @name)) @struct
(create_type (object_reference schema: (identifier)? @owner name: (identifier) @name)) @type
(create_function . (_) (object_reference schema: (identifier)? @owner name: (identifier) @name) (function_body)? @body) @function
(create_trigger . (_) . (_) . (object_reference name: (identifier) @name)) @function
