// Foreign clients against the listener alone, over a MemoryBroker.
import { aListener } from '../kafka/listening.ts';
import { foreignClients } from './suite.ts';

foreignClients('the listener over one little log', async () => {
  const { broker, listener, close } = await aListener();
  return {
    bootstrap: `127.0.0.1:${listener.port}`,
    brokerCount: 1,
    createTopic: (name) => {
      broker.createTopic(name, 3);
      return Promise.resolve();
    },
    close,
  };
});
