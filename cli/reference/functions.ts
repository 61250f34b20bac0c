/** The function of the API reference, which only the local server has. */
export const referenceFunctions = {
  docs: {
    name: 'backend-local-docs',
    handler: 'cli/reference/serve.handler',
    events: ['/docs', '/docs/{file}'].map((path) => ({ httpApi: { method: 'GET', path } })),
  },
};
