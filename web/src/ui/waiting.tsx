import { Skeleton, Stack } from '@mantine/core';

/** Shown after 300 ms in the place of a list. */
export const Waiting = () => (
  <Stack gap="sm" role="status" aria-busy="true" aria-label="Loading">
    <Skeleton height={32} width="40%" />
    {Array.from({ length: 6 }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are identical and never move
      <Skeleton key={index} height={44} />
    ))}
  </Stack>
);
