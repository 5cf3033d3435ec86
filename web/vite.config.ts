import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The server that `npm run dev` starts beside this one. */
const server = process.env.BURGEE_URL ?? 'http://localhost:4242';

/** Addresses of the small entry. The server has them too, for the built page. */
const signIn = /^\/(login|forgotten-password|reset-password|new-user|signed-in)(\?|$)/;

const widespread = /@mantine[\\/](core|hooks)|@tabler|@tanstack/;
const own = `${import.meta.dirname}/src/`;
/** What lists show in their rows, and what only lists of features do. */
const marks = /[\\/]src[\\/](ui[\\/](actor|avatar|production-mark)|flags[\\/]state-badge)\b/;
const featureMarks =
  /[\\/]src[\\/]flags[\\/](impact|switch|clone[\\/]clone-refusal|list[\\/]selection)\b|[\\/]owner(-options)?\.tsx?|strategy-sentence\.ts/;
/** What rows of events show. */
const eventMarks =
  /[\\/]src[\\/]events[\\/](event-sentence|event-tone|particulars|times)|components[\\/]ComboboxChevron/;
/** What opens on demand: lists to choose from, and dialogs. */
const onDemand =
  /components[\\/](Combobox|Select|MultiSelect|TagsInput|Autocomplete|Pill|PillsInput|Modal|ModalBase|Drawer|ScrollArea|NumberInput|PasswordInput)[\\/]/;
const forms = /[\\/]ui[\\/](confirm|form-dialog|save-form|save-mutation|schema-faults)/;

export default defineConfig({
  root: import.meta.dirname,
  // Relative, because an installation may be served under a path prefix: the server writes it into <base>.
  base: './',
  plugins: [
    react(),
    {
      name: 'sign-in',
      configureServer({ middlewares }) {
        middlewares.use((request, _response, next) => {
          request.url = request.url?.replace(signIn, '/sign-in.html$2');
          next();
        });
      },
    },
  ],
  build: {
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Left alone, each module that two pages share is a file: the list of features needed 68 requests. Shared by
          // fewer pages, it would load for pages that do not need it: home is 245 kB with 20, and 258 kB with 18.
          // Forms bring 24 kB with them, and no page needs them before someone opens one.
          groups: [
            { name: 'first-load', tags: ['$initial'], priority: 3 },
            {
              name: 'common',
              test: (id: string) =>
                (widespread.test(id) || (id.startsWith(own) && !forms.test(id))) &&
                !onDemand.test(id),
              minShareCount: 20,
              priority: 2,
            },
            // Files of a few hundred bytes each.
            { name: 'icons', test: /@tabler|@mantine[\\/]hooks/, minShareCount: 3, priority: 1 },
            { name: 'marks', test: marks, minShareCount: 2, priority: 1 },
            { name: 'event-marks', test: eventMarks, minShareCount: 2, priority: 1 },
            { name: 'feature-marks', test: featureMarks, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
    target: 'es2022',
    // Inlined fonts and images would be `data:` addresses, which the policy refuses.
    assetsInlineLimit: 0,
    // Every browser that runs the rest knows `modulepreload`.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
  },
  server: {
    port: 4243,
    proxy: Object.fromEntries(
      ['/api', '/auth', '/logout', '/invite', '/avatars', '/docs', '/health'].map((path) => [
        path,
        // The server refuses changes from pages of another origin, and this one has another port.
        { target: server, changeOrigin: true, headers: { origin: server } },
      ]),
    ),
  },
});
