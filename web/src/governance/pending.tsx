import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { read } from '../queries.ts';
import { moreText } from '../ui/format.ts';
import { PageLink } from '../ui/link.tsx';
import { changeSentence, stateText } from './change-words.ts';
import { useSegmentNames } from './segment-names.ts';

interface Props {
  readonly project: string;
  readonly feature: string;
  readonly environment: string;
}

/** The requests that will change a feature in an environment, each with a short description. */
function useRequests({ project, feature, environment }: Props) {
  const pending = useQuery(
    read('GET /api/admin/projects/:projectId/change-requests/pending/:featureName', {
      params: { projectId: project, featureName: feature },
    }),
  ).data;
  const scheduled = useQuery(
    read('GET /api/admin/projects/:projectId/change-requests/scheduled', {
      params: { projectId: project },
      query: { feature },
    }),
  ).data;
  const names = useSegmentNames();
  const textOf = ({ state, features }: NonNullable<typeof pending>[number]) => {
    const changes = features.find(({ name }) => name === feature)?.changes ?? [];
    const [first, ...others] = changes.map((change) => changeSentence(change, environment, names));
    return `${stateText(state)}: ${first}${others.length > 0 ? ` ${moreText(others.length)}` : ''}`;
  };
  return [
    ...(pending ?? []).map((request) => ({
      ...request,
      text: textOf(request),
      isScheduled: false,
    })),
    ...(scheduled ?? []).map((request) => ({
      ...request,
      text: `Scheduled: ${request.title ?? `change request #${request.id}`}`,
      isScheduled: true,
    })),
  ].filter((request) => request.environment === environment);
}

/** Links to what is proposed and scheduled, where it will happen. */
export function PendingChanges(props: Props) {
  const requests = useRequests(props);
  return (
    <>
      {requests.map(({ id, text }) => (
        <Text key={id} size="xs">
          <PageLink
            to="/projects/$projectId/change-requests/$id"
            params={{ projectId: props.project, id: String(id) }}
            size="xs"
          >
            {text}
          </PageLink>
        </Text>
      ))}
      {requests.some(({ isScheduled }) => isScheduled) && (
        <Text size="xs">
          <PageLink to="/calendar" search={{ feature: props.feature }} size="xs">
            Calendar of {props.feature}
          </PageLink>
        </Text>
      )}
    </>
  );
}
