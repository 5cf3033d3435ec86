import './mantine-styles.ts';
import '@fontsource-variable/inter/index.css';
import './fonts/inter.css';
import './page.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { isGone } from './api.ts';
import { firstView, watchFirstView } from './first-view.ts';
import { nonce } from './nonce.ts';
import { queryClient } from './queries.ts';
import { router } from './router.tsx';
import { cssVariablesResolver, theme } from './theme.ts';
import { lazyPart } from './ui/lazy-part.ts';

/** Notices follow what the user does, so the first view comes before them. */
const NoticeOutlet = lazyPart(async () => {
  await firstView;
  return import('./ui/notice-outlet.tsx');
}, 'NoticeOutlet');

setNonce(nonce);

/** After this the frame is shown without its content. */
const patienceMs = 400;

const patience = new Promise((resolve) => setTimeout(resolve, patienceMs));

/** A page that doesn't exist is shown as such, and is no error for the console. */
const onCaughtError = (error: unknown) => {
  if (!isGone(error)) console.error(error);
};

const draw = () =>
  createRoot(document.getElementById('root') as HTMLElement, { onCaughtError }).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queryClient}>
          <Suspense>
            <NoticeOutlet />
          </Suspense>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );

// The data of the first view is already requested. Rendering once with all of it is faster than rendering twice: the
// empty frame alone took a tenth of the time until the first list.
const loaded = router.load();
watchFirstView(loaded);
void Promise.race([loaded, patience]).finally(draw);
