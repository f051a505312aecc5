import js from "@eslint/js";
import prettier from "eslint-config-prettier";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

/** Which folders a layer may not import from: wire is below state, then input, then scene, then xr, then ui. */
const above = {
  wire: ["state", "input", "scene", "xr", "ui"],
  state: ["input", "scene", "xr", "ui"],
  input: ["scene", "xr", "ui"],
  scene: ["xr", "ui"],
  xr: ["ui"],
};

export default ts.config(
  { ignores: ["node_modules", "dist", "src/wire/generated.ts"] },
  js.configs.recommended,
  ...ts.configs.strictTypeChecked,
  ...svelte.configs.recommended,
  prettier,
  ...svelte.configs.prettier,
  {
    languageOptions: {
      globals: { ...globals.browser },
      parserOptions: {
        projectService: { allowDefaultProject: ["*.js"] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": "off",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "no-restricted-syntax": ["error", { selector: "ExportDefaultDeclaration", message: "Export by name." }],
    },
  },
  {
    // svelte-check knows the types in components; to make eslint find them out again takes minutes.
    files: ["**/*.svelte", "**/*.svelte.ts"],
    ...ts.configs.disableTypeChecked,
    languageOptions: {
      parserOptions: {
        projectService: false,
        project: false,
        program: null,
        extraFileExtensions: [".svelte"],
        parser: ts.parser,
        svelteConfig,
      },
    },
    rules: { ...ts.configs.disableTypeChecked.rules, "no-undef": "off" },
  },
  {
    files: ["*.js", "*.ts"],
    rules: { "no-restricted-syntax": "off" },
    languageOptions: { globals: globals.node },
  },
  { files: ["*.js"], ...ts.configs.disableTypeChecked },
  ...Object.entries(above).map(([layer, higher]) => ({
    files: [`src/${layer}/**`],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: higher.map((name) => ({
            group: [`**/${name}/*`],
            message: `${layer} is below ${name}.`,
          })),
        },
      ],
    },
  })),
);
