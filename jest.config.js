/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
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
  transformIgnorePatterns: ['/node_modules/(?!(@middy)/)'],
  testTimeout: 30_000,
  maxWorkers: 2,
};
