/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts', '<rootDir>/modules/*/*.test.ts'],
  transform: {
    '\\.[mc]?[jt]s$': [
      '@swc/jest',
      {
        swcrc: false,
        module: { type: 'commonjs' },
        jsc: { target: 'es2024', parser: { syntax: 'typescript' } },
      },
    ],
  },
  // Packages that ship ES modules only are transformed too; everything else loads as it is.
  transformIgnorePatterns: [
    '/node_modules/(?!@middy/|parse5/|entities/|file-type/|strtok3/|token-types/|uint8array-extras/|@tokenizer/|@borewit/|oauth4webapi/|qr/|hast-util-|hucre/|csv-parse/|hastscript/|property-information/|space-separated-tokens/|comma-separated-tokens/|web-namespaces/|zwitch/|vfile|unist-util-|devlop/)',
  ],
  // Jest looks for what `require` may load; these packages export to `import` only, or have both side by side.
  moduleNameMapper: {
    '^(@middy/[^/]+)$': '<rootDir>/node_modules/$1/index.js',
    // Components are tested in a browser.
    '/kind-files\\.ts$': '<rootDir>/test/support/kind-files.ts',
    '\\.vue$': '<rootDir>/test/support/component.ts',
    '^(zod/v4/locales/.+)\\.js$': '<rootDir>/node_modules/$1.cjs',
  },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  // Several suites share two cores: what takes seconds alone may take a minute.
  testTimeout: 120_000,
  // On two cores: what waits for a store or a timer leaves them to others.
  maxWorkers: 3,
};
