import { Button, Group, Modal, Radio, Select, Stack, Text, Timeline } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { stages } from '../../../../src/modules/flags/features/lifecycle/contract.ts';
import { api } from '../../api.ts';
import { read } from '../../queries.ts';
import { tellDone, tellProblem } from '../../ui/notices.tsx';
import { Since } from '../../ui/time.tsx';
import { type Stage, stageNames } from '../feature-words.ts';
import { refreshFeature } from './edits.ts';
import { useFeatureView } from './view.ts';

const meanings: Readonly<Record<Stage, string>> = {
  initial: 'No application has asked for it yet',
  'pre-live': 'Asked for outside production',
  live: 'Asked for in production',
  completed: 'Kept or discarded; its code can go',
  archived: 'Out of the way',
};

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
        const reached = at.get(stage);
        return (
          <Timeline.Item
            key={stage}
            title={
              <Text size="sm" fw={600}>
                {stageNames[stage]}
              </Text>
            }
          >
            <Text size="xs" className="quiet">
              {reached ? (
                <>
                  <Since instant={reached.enteredStageAt} />
                  {reached.status &&
                    ` · ${reached.status}${reached.statusValue ? `: ${reached.statusValue}` : ''}`}
                </>
              ) : (
                meanings[stage]
              )}
            </Text>
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
}

/** Asks what became of a feature that has done its work. */
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
      tellProblem(`complete ${feature.name}`, error as Error);
    }
    onClose();
    await refreshFeature();
  };
  return (
    <Modal opened onClose={onClose} title={`What became of ${feature.name}?`} centered>
      <Stack>
        <Radio.Group
          label="The change behind it was"
          value={status}
          onChange={(value) => setStatus(value === 'kept' ? 'kept' : 'discarded')}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="kept" label="kept: everybody has it" />
            <Radio value="discarded" label="discarded: nobody has it" />
          </Stack>
        </Radio.Group>
        {status === 'kept' && variants.length > 0 && (
          <Select
            label="The variant that was kept"
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
          <Button onClick={() => void complete()}>Complete</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
