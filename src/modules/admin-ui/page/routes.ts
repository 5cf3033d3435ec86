import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { unknownPath } from '../../../platform/errors.ts';
import { takesCoding, takesGzip } from '../../../platform/http/accept-encoding.ts';
import { basePathOf } from '../../../platform/http/base-path.ts';
import { shownPath } from '../../../platform/http/shown-path.ts';
import type { Services } from '../../../platform/module.ts';
import { cspReportsPath } from '../csp-reports/contract.ts';
import { createPageFiles, findPageFolder, type PageFile } from './files.ts';
import { type Manifest, preloadsFor } from './preloads.ts';

/** Allows only our own files, and no other site may embed the page. Styles that the page creates carry the nonce. */
const policyWith = (nonce: string, images: string, reporting: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    `img-src ${images}`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'self'",
    "frame-ancestors 'none'",
    ...reporting,
  ].join('; ');

interface Reporting {
  readonly directives: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Where browsers report violations. They ignore `report-uri` beside `report-to`, and the header that `report-to` needs
 * without TLS.
 */
function reportingTo(baseUrl: string): Reporting {
  // These would end the directive.
  const path = `${basePathOf(baseUrl)}${cspReportsPath}`.replace(/[;,]/g, encodeURIComponent);
  if (!baseUrl.startsWith('https:')) return { directives: [`report-uri ${path}`], headers: {} };
  return {
    directives: [`report-uri ${path}`, 'report-to csp'],
    headers: { 'reporting-endpoints': `csp="${path}"` },
  };
}

interface Document {
  readonly file: string;
  /** All addresses get the same document, which reads its own address. */
  readonly addresses: readonly string[];
  readonly images: string;
}

const administration: Document = {
  file: 'index.html',
  addresses: [
    ...['/', '/search', '/history', '/incident', '/projects', '/projects/*'],
    ...['/change-requests', '/calendar'],
    ...['/insights', '/applications', '/applications/*', '/unknown-flags', '/playground'],
    ...['/integrations', '/integrations/*', '/profile', '/account'],
    ...['/segments', '/segments/*', '/context', '/context/*', '/strategies', '/strategies/*'],
    ...['/tag-types', '/tag-types/*', '/feature-toggle-type', '/feature-toggle-type/*'],
    ...['/environments', '/environments/*'],
    ...['/admin', '/admin/*'],
  ],
  // The editor of JSON underlines a fault with an image of its own.
  images: "'self' data:",
};

const documents: readonly Document[] = [
  administration,
  {
    file: 'sign-in.html',
    addresses: ['/login', '/forgotten-password', '/reset-password', '/new-user', '/signed-in'],
    images: "'self'",
  },
];

/** Whether someone typed or followed an address that does not exist. Scripts that ask for it get JSON. */
const isBrowserAtUnknownPage = ({ method, url, headers }: FastifyRequest): boolean =>
  method === 'GET' && !url.startsWith('/api/') && /\btext\/html\b/.test(headers.accept ?? '');

/** Parts of the page. A page loads dozens of them. */
const quiet = { logLevel: 'warn' } as const;

function send(request: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  reply
    .type(file.type)
    .header('x-content-type-options', 'nosniff')
    .header('vary', 'accept-encoding');
  const accepted = request.headers['accept-encoding'];
  if (file.brotli && takesCoding('br', accepted)) {
    return reply.header('content-encoding', 'br').send(file.brotli);
  }
  if (file.gzip && takesGzip(accepted)) {
    return reply.header('content-encoding', 'gzip').send(file.gzip);
  }
  return reply.send(file.content);
}

interface DocumentParts {
  readonly basePath: string;
  readonly nonce: string;
  readonly preloads: string;
}

/** The document, with the path of the installation, its own nonce, and what its address needs. */
const documentWith = (html: string, { basePath, nonce, preloads }: DocumentParts): string =>
  html
    .replace(
      '<base href="/" />',
      () =>
        `<base href="${basePath.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}/" /><meta property="csp-nonce" nonce="${nonce}" />`,
    )
    .replace('</head>', () => `${preloads}</head>`);

const absent = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Burgee</title></head>
<body><h1>Burgee is running</h1>
<p>The admin UI isn't built because Burgee was installed without its dev dependencies. The API works.</p>
<p>To build it, run <code>npm ci &amp;&amp; npm start</code> in the checkout, or install the published package.</p>
<p><a href="docs/openapi">API reference</a></p></body></html>
`;

const manifests = new WeakMap<PageFile, Manifest>();

function manifestOf(file: PageFile): Manifest {
  const read = manifests.get(file) ?? (JSON.parse(file.content.toString()) as Manifest);
  manifests.set(file, read);
  return read;
}

type FindFile = ReturnType<typeof createPageFiles>;

/** Serves the built page at `/`: files whose names change with their content, and a document that is never cached. */
export function pageRoutes(app: FastifyInstance, { settings }: Services): void {
  let found: FindFile | undefined;
  /** Searched until it exists, because it may be built while the server runs. */
  const find: FindFile = async (name) => {
    const folder = found === undefined ? findPageFolder() : undefined;
    if (folder !== undefined) found = createPageFiles(folder);
    return found?.(name);
  };

  const sendDocument = async (
    { file, images }: Document,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const document = await find(file);
    const manifest = file === 'index.html' ? await find('manifest.json') : undefined;
    const nonce = randomBytes(16).toString('base64');
    const reporting = reportingTo(settings.baseUrl);
    return (
      reply
        .header('content-security-policy', policyWith(nonce, images, reporting.directives))
        .headers(reporting.headers)
        // The addresses of some pages contain the secret of a link.
        .header('referrer-policy', 'no-referrer')
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(
          documentWith(document?.content.toString() ?? absent, {
            basePath: basePathOf(settings.baseUrl),
            nonce,
            preloads: manifest ? preloadsFor(manifestOf(manifest), request.url) : '',
          }),
        )
    );
  };

  for (const document of documents) {
    for (const address of document.addresses) {
      app.get(address, quiet, (request, reply) => sendDocument(document, request, reply));
    }
  }

  // With a callback, because it is called for each request, most of which are those of SDKs.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404 || !isBrowserAtUnknownPage(request)) done();
    else sendDocument(administration, request, reply.code(404)).catch(done);
  });

  const serve = (path: string, nameOf: (request: FastifyRequest) => string, caching: string) =>
    app.get(path, { ...quiet, config: { isFile: true } }, async (request, reply) => {
      const file = await find(nameOf(request));
      if (!file) throw unknownPath(request.method, shownPath(request));
      return send(request, reply.header('cache-control', caching), file);
    });
  const immutable = 'public, max-age=31536000, immutable';
  serve('/assets/:file', ({ params }) => `assets/${(params as { file: string }).file}`, immutable);
  for (const name of ['burgee.svg', 'color-scheme.js']) serve(`/${name}`, () => name, 'no-cache');
}
