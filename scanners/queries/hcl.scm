; Named by their address: `aws_s3_bucket.logs`.
(block (identifier) @when.resource . (string_lit (template_literal) @owner) . (string_lit (template_literal) @name) (block_start) @body) @class
(block (identifier) @when.data . (string_lit (template_literal) @owner) . (string_lit (template_literal) @name) (block_start) @body) @class
(block (identifier) @when.module . (string_lit (template_literal) @name) (block_start) @body) @module
(block (identifier) @when.variable . (string_lit (template_literal) @name) (block_start) @body) @variable
(block (identifier) @when.output . (string_lit (template_literal) @name) (block_start) @body) @property
(block (identifier) @when.locals . (block_start) (body (attribute (identifier) @name) @constant))
