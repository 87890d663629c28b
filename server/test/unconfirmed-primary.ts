// A deliberately wrong process: its commits do not wait for the standby, so it takes every server for the primary. A
// proof of the fence (docs/decisions/0095) that does not detect it is worthless.
import pg from 'pg';

type ConnectingClient = pg.Client & { connectionParameters: { options: string } }; // a member that the types of the driver lack

/**
 * Makes the connections that this process opens from now on skip the confirmation. Call it before the first one.
 * Returns a function that ends it.
 */
export function skipConfirmations(): () => void {
  const { connect } = pg.Client.prototype;
  function connectUnconfirmed(this: ConnectingClient, ...args: Parameters<typeof connect>): unknown {
    const { connectionParameters: parameters } = this;
    parameters.options = parameters.options.replace('synchronous_commit=on', 'synchronous_commit=local');
    return connect.apply(this, args);
  }
  pg.Client.prototype.connect = connectUnconfirmed as typeof connect; // the same overloads
  return () => {
    pg.Client.prototype.connect = connect;
  };
}
