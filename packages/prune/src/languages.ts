// Which syntax nodes mean what, per language: data, in the words of each tree-sitter grammar. A language is added
// here and in kind.ts (its file extensions), nowhere else.
import type { MarkKind } from "./syntax.ts";

export interface LanguageTable {
  readonly wasm: string;
  readonly roles: Readonly<Partial<Record<MarkKind, string>>>;
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
};

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
  },
  javascript: { wasm: "javascript", roles: SCRIPT },
  typescript: { wasm: "typescript", roles: SCRIPT },
  tsx: { wasm: "tsx", roles: SCRIPT },
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
  },
  bash: {
    wasm: "bash",
    roles: {
      function: "function_definition",
      block: "if_statement for_statement while_statement case_statement c_style_for_statement",
      branch: "elif_clause else_clause case_item",
      comment: "comment",
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
  },
  ini: { wasm: "ini", roles: { class: "section", comment: "comment" } },
  powershell: {
    wasm: "powershell",
    roles: {
      function: "function_statement class_method_definition",
      class: "class_statement enum_statement",
      block: "if_statement for_statement foreach_statement while_statement do_statement try_statement switch_statement",
      branch: "elseif_clause else_clause catch_clause finally_clause switch_clause",
      comment: "comment",
    },
  },
};
