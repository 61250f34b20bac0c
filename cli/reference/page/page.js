// Runs in the browser, after `documents.js` has set the documents by locale.

const documents = globalThis.apiDocuments;
const asked = new URLSearchParams(location.search).get('lang');
const preferred = navigator.language.startsWith('zh') ? 'zh_CN' : 'en';
const locale = Object.hasOwn(documents, asked ?? '') ? asked : preferred;

document.documentElement.lang = locale.replace('_', '-');
document.title = documents[locale].info.title;
document.querySelector(`.languages a[href="?lang=${locale}"]`).setAttribute('aria-current', 'true');

/** The document with the complete URL of the server that the page comes from, where it names none. */
function completeServers({ servers, ...rest }) {
  const complete = (server) => (server.url === '/' ? { ...server, url: location.origin } : server);
  return { ...rest, servers: servers.map(complete) };
}

globalThis.SwaggerUIBundle({
  domNode: document.getElementById('reference'),
  spec: completeServers(documents[locale]),
  presets: [globalThis.SwaggerUIBundle.presets.apis],
  // Its default is a service on the internet.
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  requestInterceptor(request) {
    // Answers speak the page's language unless the reader chose another.
    request.headers['X-Language'] ??= locale;
    return request;
  },
});
