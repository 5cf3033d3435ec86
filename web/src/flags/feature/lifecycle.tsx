import '@mantine/core/styles/Timeline.layer.css';
import { Button, Group, Modal, Radio, Select, Stack, Text, Timeline } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { stages } from '../../../../src/modules/flags/features/lifecycle/contract.ts';
import { api } from '../../api.ts';
import { read } from '../../queries.ts';
import { tellDone, tellProblem } from '../../ui/notices.tsx';
import { stageNames } from '../feature-words.ts';
import { refreshFeature } from './edits.ts';
import { stageLines } from './lifecycle-words.ts';
import { useFeatureView } from './view.ts';

/** The stages of a feature with their dates. */
export function Lifecycle() {
  const { feature, project } = useFeatureView();
  const entered = useQuery(
    read('GET /api/admin/projects/:projectId/features/:featureName/lifecycle', {
      params: { projectId: project, featureName: feature.name },
    }),
  ).data;
  const at = new Map(entered?.map((stage) => [stage.stage, stage]));
  const current = stages.indexOf(feature.lifecycle.stage);
  const shown = stages.filter(
    (stage, place) => stage !== 'archived' || at.has(stage) || place === current,
  );
  return (
    <Timeline active={shown.indexOf(feature.lifecycle.stage)} bulletSize={14} lineWidth={2}>
      {shown.map((stage) => {
        return (
          <Timeline.Item
            key={stage}
            title={
              <Text size="sm" fw={600}>
                {stageNames[stage]}
              </Text>
            }
          >
            {stageLines(stage, at.get(stage), stage === feature.lifecycle.stage, new Date()).map(
              (line) => (
                <Text key={line} size="xs" className="quiet">
                  {line}
                </Text>
              ),
            )}
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
}

/** Asks for the outcome of a feature that is completed. */
export function CompleteQuestion({ onClose }: { readonly onClose: () => void }) {
  const { feature, project } = useFeatureView();
  const [status, setStatus] = useState<'kept' | 'discarded'>('kept');
  const [variant, setVariant] = useState<string | null>(null);
  const params = { projectId: project, featureName: feature.name };
  const variants = [
    ...new Set(
      feature.environments.flatMap((environment) => [
        ...environment.variants.map(({ name }) => name),
        ...environment.strategies.flatMap((strategy) => strategy.variants.map(({ name }) => name)),
      ]),
    ),
  ];
  const complete = async () => {
    try {
      await api('POST /api/admin/projects/:projectId/features/:featureName/lifecycle/complete', {
        params,
        body: { status, ...(status === 'kept' && variant && { statusValue: variant }) },
      });
      tellDone({
        id: `${feature.name} lifecycle`,
        title: `${feature.name} marked as completed`,
        undo: async () => {
          await api(
            'POST /api/admin/projects/:projectId/features/:featureName/lifecycle/uncomplete',
            { params },
          );
          await refreshFeature();
        },
      });
    } catch (error) {
      tellProblem(`mark ${feature.name} as completed`, error as Error);
    }
    onClose();
    await refreshFeature();
  };
  return (
    <Modal opened onClose={onClose} title={`Mark ${feature.name} as completed`} centered>
      <Stack>
        <Radio.Group
          label="Outcome"
          value={status}
          onChange={(value) => setStatus(value === 'kept' ? 'kept' : 'discarded')}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="kept" label="Kept: enabled for everyone" />
            <Radio value="discarded" label="Discarded: disabled for everyone" />
          </Stack>
        </Radio.Group>
        {status === 'kept' && variants.length > 0 && (
          <Select
            label="Kept variant (optional)"
            clearable
            data={variants}
            value={variant}
            onChange={setVariant}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={() => void complete()}>Mark as completed</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
