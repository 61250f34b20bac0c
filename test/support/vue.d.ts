// The types of components are checked with the console, by `cli/console/check.ts`.
declare module '*.vue' {
  const component: import('vue').Component;
  export default component;
}
