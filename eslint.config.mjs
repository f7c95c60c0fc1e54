// Faults alone: the form is prettier's. Types are checked by tsc, so its files are left out.
import js from '@eslint/js';
import globals from 'globals';

export default [
  { ignores: ['build/', 'dist/', 'node/prebuilds/', '**/target/', '**/*.ts', '**/*.mts', '**/*.cts'] },
  js.configs.recommended,
  { files: ['**/*.js', '**/*.cjs'], languageOptions: { sourceType: 'commonjs' } },
  // Tests of the page hand functions to a browser.
  { files: ['docs/**', 'tests/page/**'], languageOptions: { globals: globals.browser } },
  {
    languageOptions: { ecmaVersion: 2022, globals: globals.node },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'array-callback-return': 'error',
      eqeqeq: 'error',
      'no-constructor-return': 'error',
      'no-else-return': 'error',
      'no-implicit-coercion': 'error',
      'no-return-assign': 'error',
      'no-self-compare': 'error',
      'no-shadow': 'error',
      'no-template-curly-in-string': 'error',
      'no-throw-literal': 'error',
      'no-unreachable-loop': 'error',
      'no-unused-expressions': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-useless-return': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'preserve-caught-error': 'error',
      'require-atomic-updates': 'error',
      'require-await': 'error',
      strict: ['error', 'safe'],
    },
  },
];
