import { Badge, Group, Text } from '@mantine/core';
import { Tooltip } from '../../ui/tooltip.tsx';

interface Props {
  /** As `name:version`. */
  readonly sdk: string;
  readonly isOutdated: boolean;
}

/** The SDK of an application, marked where it is older than recommended. */
export const Sdk = ({ sdk, isOutdated }: Props) => (
  <Group gap={6} component="span" miw={0}>
    <Text size="sm" component="span" className="tabular" style={{ overflowWrap: 'anywhere' }}>
      {sdk.replace(':', ' ')}
    </Text>
    {isOutdated && (
      <Tooltip label="A newer version is recommended" multiline maw={240}>
        <Badge size="sm" color="yellow" variant="light" tt="none" flex="none">
          Outdated
        </Badge>
      </Tooltip>
    )}
  </Group>
);
