// serverless-offline looks for handlers in JavaScript; Node strips the types of what this one imports.
export { handler } from './serve.ts';
