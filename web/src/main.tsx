import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@fontsource-variable/inter/index.css';
import './page.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { nonce } from './nonce.ts';
import { queryClient } from './queries.ts';
import { router } from './router.tsx';
import { theme } from './theme.ts';

setNonce(nonce);

/** After this the frame is shown, with its content still to come. */
const patienceMs = 400;

const patience = new Promise((resolve) => setTimeout(resolve, patienceMs));

const draw = () =>
  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
        <QueryClientProvider client={queryClient}>
          <Notifications position="bottom-right" limit={3} />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );

// What the first view needs is on its way already. Drawn once with all of it, the page is there sooner than drawn
// twice: the empty frame alone took a tenth of the time until the first list.
void Promise.race([router.load(), patience]).finally(draw);
