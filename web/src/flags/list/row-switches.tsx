import { Group, Modal, Stack, Text } from '@mantine/core';
import { FeatureSwitch } from '../switch.tsx';
import type { FoundFeature } from './feature-pages.ts';
import { rolloutWords } from './rollout-words.ts';

interface Props {
  readonly feature: FoundFeature;
  readonly onClose: () => void;
}

/** The switches of a feature in all its environments, for the keyboard. */
export const RowSwitches = ({ feature: { name, project, environments }, onClose }: Props) => (
  <Modal
    opened
    onClose={onClose}
    title={`Enable or disable ${name}`}
    size="sm"
    withCloseButton={false}
    transitionProps={{ duration: 0 }}
  >
    <Stack gap="sm" pt={4}>
      {environments.map((state) => (
        <Group key={state.name} gap="sm" wrap="nowrap">
          <FeatureSwitch
            project={project}
            feature={name}
            environment={state.name}
            type={state.type}
            enabled={state.enabled}
          />
          <Text size="sm">{state.name}</Text>
          <Text size="xs" className="quiet tabular">
            {rolloutWords(state)?.text}
          </Text>
        </Group>
      ))}
    </Stack>
  </Modal>
);
