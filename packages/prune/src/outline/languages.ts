// Which syntax nodes mean what, per language: data, in the words of each tree-sitter grammar. A language is added
// here and in extensions.ts (its file extensions), nowhere else.
import type { MarkKind } from "./syntax.ts";

/** What the engine knows of a language: its grammar's file, and the roles of its nodes, separated by spaces. */
export interface LanguageTable {
  readonly wasm: string;
  readonly roles: Readonly<Partial<Record<MarkKind, string>>>;
  readonly parts: PartTable;
}

/**
 * What may be left out of a text that must still parse: the nodes whose children are items of a list, by kind of list.
 */
export interface PartTable {
  /** Any of its items may be left out, even all. */
  readonly any?: string;
  /** One item has to stay. */
  readonly one?: string;
  /** No separator may stand behind the last item. */
  readonly last?: string;
  /** A head of fields, then items: a case, a tag, a preprocessor's branch. */
  readonly mixed?: string;
  /** A list of tokens that are not parsed. */
  readonly tokens?: string;
  /** Nodes that belong to the item below them. */
  readonly leads?: string;
  /** Branches that may be left out; one branch of a `tries` node has to stay, one of its `excepts` if it has any. */
  readonly clauses?: string;
  readonly tries?: string;
  readonly excepts?: string;
  /** Nodes whose `else` may hold another of them. */
  readonly ifs?: string;
  /** Named nodes that are not items. */
  readonly labels?: string;
}

const SCRIPT: LanguageTable["roles"] = {
  function:
    "function_declaration generator_function_declaration method_definition arrow_function function_expression generator_function",
  class:
    "class_declaration class abstract_class_declaration interface_declaration enum_declaration type_alias_declaration internal_module module",
  block:
    "if_statement for_statement for_in_statement while_statement do_statement try_statement switch_statement labeled_statement",
  branch: "else_clause catch_clause finally_clause switch_case switch_default",
  import: "import_statement",
  comment: "comment",
  decorator: "decorator",
  signature: "function_signature method_signature abstract_method_signature",
};

const SCRIPT_PARTS: PartTable = {
  any: "program statement_block class_body object array arguments formal_parameters object_pattern array_pattern named_imports export_clause switch_body object_type interface_body enum_body tuple_type class_static_block",
  mixed: "switch_case switch_default jsx_element jsx_opening_element jsx_self_closing_element",
  leads: "decorator",
  clauses: "else_clause catch_clause finally_clause",
  tries: "try_statement",
  ifs: "if_statement",
  labels: "jsx_text",
};

/** The languages that have a grammar. */
export const LANGUAGE_TABLES: Readonly<Record<string, LanguageTable>> = {
  python: {
    wasm: "python",
    roles: {
      function: "function_definition",
      class: "class_definition",
      block: "if_statement for_statement while_statement with_statement try_statement match_statement",
      branch: "elif_clause else_clause except_clause except_group_clause finally_clause case_clause",
      import: "import_statement import_from_statement future_import_statement",
      comment: "comment",
      decorator: "decorator",
    },
    parts: {
      any: "module argument_list parameters list dictionary set tuple",
      one: "block",
      clauses: "elif_clause else_clause except_clause except_group_clause finally_clause",
      tries: "try_statement",
      excepts: "except_clause except_group_clause",
    },
  },
  javascript: { wasm: "javascript", roles: SCRIPT, parts: SCRIPT_PARTS },
  typescript: { wasm: "typescript", roles: SCRIPT, parts: SCRIPT_PARTS },
  tsx: { wasm: "tsx", roles: SCRIPT, parts: SCRIPT_PARTS },
  go: {
    wasm: "go",
    roles: {
      function: "function_declaration method_declaration func_literal",
      class: "type_declaration",
      block:
        "if_statement for_statement expression_switch_statement type_switch_statement select_statement const_declaration var_declaration",
      branch: "expression_case default_case type_case communication_case",
      import: "import_declaration package_clause",
      comment: "comment",
    },
    parts: {
      any: "source_file block statement_list argument_list parameter_list literal_value field_declaration_list import_spec_list var_spec_list",
      mixed:
        "const_declaration type_declaration var_declaration interface_type expression_switch_statement type_switch_statement select_statement",
      ifs: "if_statement",
    },
  },
  rust: {
    wasm: "rust",
    roles: {
      function: "function_item closure_expression macro_definition",
      class: "struct_item enum_item impl_item trait_item mod_item union_item",
      block: "if_expression for_expression while_expression loop_expression match_expression unsafe_block",
      branch: "else_clause match_arm",
      import: "use_declaration extern_crate_declaration",
      comment: "line_comment block_comment",
      decorator: "attribute_item",
      signature: "function_signature_item associated_type",
    },
    parts: {
      any: "source_file block declaration_list field_declaration_list enum_variant_list field_initializer_list match_block arguments parameters array_expression tuple_expression use_list ordered_field_declaration_list struct_pattern",
      tokens: "token_tree",
      leads: "attribute_item",
      clauses: "else_clause",
      ifs: "if_expression",
    },
  },
  java: {
    wasm: "java",
    roles: {
      function: "method_declaration constructor_declaration lambda_expression compact_constructor_declaration",
      class: "class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration",
      block:
        "if_statement for_statement enhanced_for_statement while_statement do_statement try_statement try_with_resources_statement switch_expression synchronized_statement",
      branch: "catch_clause finally_clause switch_block_statement_group switch_rule",
      import: "import_declaration package_declaration",
      comment: "line_comment block_comment",
    },
    parts: {
      any: "program block class_body interface_body enum_body enum_body_declarations annotation_type_body array_initializer element_value_array_initializer switch_block constructor_body module_body",
      last: "argument_list formal_parameters annotation_argument_list",
      mixed: "switch_block_statement_group",
      clauses: "catch_clause finally_clause",
      tries: "try_statement",
      ifs: "if_statement",
      labels: "switch_label",
    },
  },
  "c-sharp": {
    wasm: "c-sharp",
    roles: {
      function:
        "method_declaration constructor_declaration local_function_statement lambda_expression property_declaration operator_declaration",
      class:
        "class_declaration interface_declaration enum_declaration record_declaration struct_declaration namespace_declaration",
      block:
        "if_statement for_statement foreach_statement while_statement do_statement try_statement switch_statement using_statement lock_statement",
      branch: "catch_clause finally_clause switch_section",
      import: "using_directive",
      comment: "comment",
      decorator: "attribute_list",
      signature: "delegate_declaration",
    },
    parts: {
      any: "compilation_unit block declaration_list switch_body enum_member_declaration_list initializer_expression accessor_list",
      last: "argument_list parameter_list attribute_argument_list",
      mixed: "preproc_if preproc_else preproc_elif",
      clauses: "catch_clause finally_clause",
      tries: "try_statement",
      ifs: "if_statement",
    },
  },
  cpp: {
    wasm: "cpp",
    roles: {
      function: "function_definition lambda_expression",
      class: "class_specifier struct_specifier enum_specifier union_specifier namespace_definition",
      block:
        "if_statement for_statement for_range_loop while_statement do_statement try_statement switch_statement preproc_if preproc_ifdef",
      branch: "else_clause catch_clause case_statement preproc_else preproc_elif",
      import: "preproc_include using_declaration",
      comment: "comment",
    },
    parts: {
      any: "translation_unit compound_statement field_declaration_list declaration_list enumerator_list initializer_list",
      last: "argument_list parameter_list",
      mixed: "case_statement preproc_if preproc_ifdef preproc_else preproc_elif",
      clauses: "else_clause preproc_else preproc_elif catch_clause",
      tries: "try_statement",
      ifs: "if_statement",
    },
  },
  ruby: {
    wasm: "ruby",
    roles: {
      function: "method singleton_method do_block block lambda",
      class: "class module singleton_class",
      block: "if unless while until for case begin",
      branch: "elsif else when rescue ensure",
      comment: "comment",
    },
    parts: {
      any: "program body_statement block_body then do array hash argument_list",
      mixed: "else begin ensure",
      clauses: "elsif else when rescue ensure",
    },
  },
  php: {
    wasm: "php",
    roles: {
      function: "function_definition method_declaration anonymous_function arrow_function",
      class: "class_declaration interface_declaration trait_declaration enum_declaration namespace_definition",
      block:
        "if_statement for_statement foreach_statement while_statement do_statement try_statement switch_statement match_expression",
      branch: "else_clause else_if_clause catch_clause finally_clause case_statement default_statement",
      import: "namespace_use_declaration",
      comment: "comment",
      decorator: "attribute_list",
    },
    parts: {
      any: "program compound_statement declaration_list enum_declaration_list switch_block match_block arguments formal_parameters array_creation_expression",
      mixed: "case_statement default_statement",
      clauses: "else_clause else_if_clause catch_clause finally_clause",
      tries: "try_statement",
      labels: "php_tag",
    },
  },
  bash: {
    wasm: "bash",
    roles: {
      function: "function_definition",
      block: "if_statement for_statement while_statement case_statement c_style_for_statement",
      branch: "elif_clause else_clause case_item",
      comment: "comment",
    },
    parts: {
      any: "program",
      one: "compound_statement do_group",
      mixed: "case_item",
      clauses: "elif_clause else_clause",
    },
  },
  css: {
    wasm: "css",
    roles: {
      function: "rule_set",
      class: "media_statement supports_statement keyframes_statement",
      import: "import_statement",
      comment: "comment",
    },
    parts: { any: "stylesheet block keyframe_block_list" },
  },
  ini: {
    wasm: "ini",
    roles: { class: "section", comment: "comment" },
    parts: { any: "document", mixed: "section", labels: "section_name" },
  },
  powershell: {
    wasm: "powershell",
    roles: {
      function: "function_statement class_method_definition",
      class: "class_statement enum_statement",
      block: "if_statement for_statement foreach_statement while_statement do_statement try_statement switch_statement",
      branch: "elseif_clause else_clause catch_clause finally_clause switch_clause",
      comment: "comment",
    },
    parts: { any: "program statement_list", clauses: "else_clause elseif_clause" },
  },
};
