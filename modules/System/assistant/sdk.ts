/** The one place that loads the SDK of OpenAI; imported only by `import()`. */
export { OpenAI } from 'openai';
