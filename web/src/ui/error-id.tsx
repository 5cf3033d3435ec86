import { Code, Text } from '@mantine/core';
import { CopyButton } from './copy-button.tsx';

/** The id by which the server's log knows an error, to copy for whoever reads that log. */
export const ErrorId = ({ id }: { readonly id: string }) => (
  <Text size="sm" component="div">
    The server knows this error as <Code>{id}</Code> <CopyButton text={id} size="compact-xs" />
  </Text>
);
