import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { unknownPath } from '../errors.ts';
import { shownPath } from './shown-path.ts';

/** The page is rendered by its own scripts, which set inline styles. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const javascript = 'text/javascript; charset=utf-8';

/** The files of Swagger UI, as its Fastify plugin ships them. */
const files: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['index.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', javascript],
  ['favicon-32x32.png', 'image/png'],
]);

/** The build copies them beside the bundle, because the plugin is not installed with it. */
const folder = () =>
  import.meta.url.endsWith('.js')
    ? new URL('swagger-ui/', import.meta.url)
    : new URL('static/', import.meta.resolve('@fastify/swagger-ui'));

/** Each file is read once and shared. One has 1.7 MB, of which every slow reader would otherwise hold a copy. */
const loaded = new Map<string, Promise<Buffer>>();

function load(file: string): Promise<Buffer> {
  const cached = loaded.get(file);
  if (cached) return cached;
  const reading = readFile(new URL(file, folder()));
  loaded.set(file, reading);
  reading.catch(() => loaded.delete(file));
  return reading;
}

const html = (path: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Burgee API</title>
<link rel="stylesheet" href="${path}/swagger-ui.css">
<link rel="stylesheet" href="${path}/index.css">
<link rel="icon" type="image/png" href="${path}/favicon-32x32.png" sizes="32x32">
</head>
<body>
<div id="swagger-ui"></div>
<script src="${path}/swagger-ui-bundle.js"></script>
<script src="${path}/start.js"></script>
</body>
</html>
`;

/** URLs are resolved relative to the script, because a proxy may add a path prefix. */
const startScript = `const url = new URL('../../openapi.json', document.currentScript.src).href;
SwaggerUIBundle({
  url,
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  validatorUrl: null,
});
`;

const quiet = { logLevel: 'warn' } as const;

/**
 * Serves a page to browse the document. Loading the plugin with its files took 100 of the 1,080 ms of a start, for a
 * page that most servers never serve. The files are read when the page is first opened.
 */
export function registerApiPage(app: FastifyInstance, basePath: string): void {
  // Works with and without a trailing slash: assets are resolved accordingly.
  app.get('/docs/openapi', quiet, (request, reply) =>
    reply
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(html(shownPath(request).endsWith('/') ? 'static' : 'openapi/static')),
  );
  app.get('/docs/openapi/static/start.js', quiet, (_request, reply) =>
    reply.header('cache-control', 'no-cache').type(javascript).send(startScript),
  );
  app.get<{ Params: { file: string } }>(
    '/docs/openapi/static/:file',
    quiet,
    async (request, reply) => {
      const { file } = request.params;
      const type = files.get(file);
      if (type === undefined) throw unknownPath(request.method, shownPath(request));
      return reply
        .header('cache-control', 'public, max-age=3600')
        .type(type)
        .send(await load(file));
    },
  );
  // The short address redirects to the documentation.
  app.get('/docs', quiet, (_request, reply) => reply.redirect(`${basePath}/docs/openapi`));
}
