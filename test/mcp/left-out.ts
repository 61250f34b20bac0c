const onlyTools = 'the service offers tools and nothing else';
const onlyText = 'tools answer JSON, which travels as text';
const noStream = 'answers are JSON: nothing is sent before the result';
const noRequests = 'earlier clients need a stream to be asked';
const onlyConfirmation = 'the service asks for nothing but the confirmation of a call';
const diagnostics = 'needs a diagnostic tool that uses what the service does not offer';
const extension = 'an extension that the service does not offer';

/** Conformance scenarios that do not apply, by the beginning of their names, with the reason. */
export const leftOut: Record<string, string> = {
  'completion-complete': onlyTools,
  'logging-set-level': onlyTools,
  'prompts-': onlyTools,
  'resources-': onlyTools,
  caching: `${onlyTools}; the hints of tools/list are checked by themselves`,
  'tools-call-image': onlyText,
  'tools-call-audio': onlyText,
  'tools-call-embedded-resource': onlyText,
  'tools-call-mixed-content': onlyText,
  'tools-call-with-logging': noStream,
  'tools-call-with-progress': noStream,
  'tools-call-sampling': noRequests,
  'tools-call-elicitation': noRequests,
  'elicitation-': noRequests,
  'input-required-result-basic-elicitation': onlyConfirmation,
  'input-required-result-basic-sampling': onlyConfirmation,
  'input-required-result-basic-list-roots': onlyConfirmation,
  'input-required-result-multiple-input-requests': onlyConfirmation,
  'input-required-result-multi-round': onlyConfirmation,
  'input-required-result-capability-check': onlyConfirmation,
  'input-required-result-non-tool-request': onlyTools,
  'tasks-': extension,
  'json-schema-2020-12': 'needs a tool with a name of its own; pending in the suite',
  'http-custom-header-server-validation': 'no tool declares headers; pending in the suite',
};

/** Checks of scenarios that do apply. */
export const leftOutChecks: Record<string, string> = {
  'sep-2575-server-rejects-undeclared-capability': diagnostics,
  'sep-2575-missing-capability-http-400': diagnostics,
  'sep-2575-http-server-no-independent-requests-on-stream': diagnostics,
  'sep-2575-server-no-log-without-loglevel': diagnostics,
};
