import { Code, Text } from '@mantine/core';
import { CopyButton } from './copy-button.tsx';

/** The id of an error in the server log, to copy for the operator. */
export const ErrorId = ({ id }: { readonly id: string }) => (
  <Text size="sm" component="div">
    Error ID <Code>{id}</Code> <CopyButton text={id} size="compact-xs" />
  </Text>
);
