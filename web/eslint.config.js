import js from "@eslint/js";
import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import globals from "globals";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist", "node_modules", "src/api/schema.d.ts", "test-results", "playwright-report"] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  reactHooks.configs.flat.recommended,
  jsxA11y.flatConfigs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    languageOptions: { globals: globals.browser },
    rules: {
      "no-restricted-syntax": [
        "error",
        { selector: "NewExpression[callee.name='Function']", message: "The Content-Security-Policy forbids it." },
      ],
      "no-eval": "error",
      "max-lines": ["error", { max: 200, skipBlankLines: true, skipComments: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      // It warns for the React compiler, which is not in use here.
      "react-hooks/incompatible-library": "off",
      // A dialog's or a palette's first field takes the focus on purpose, and Radix gives it back afterwards.
      "jsx-a11y/no-autofocus": "off",
    },
  },
  { files: ["**/*.{js,mjs}", "e2e/**", "vite.config.ts"], languageOptions: { globals: globals.node } },
  { files: ["public/*.js"], languageOptions: { globals: { ...globals.browser, ...globals.serviceworker } } },
);
