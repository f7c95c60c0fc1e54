import com.twitter.service.snowflake.gen.Batches;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.layered.TFramedTransport;

/** Calls each method: {@code java Calls PORT framed|unframed}. Prints a line for each reply. */
public final class Calls {
  private interface Call {
    Object reply() throws TException;
  }

  private Calls() {}

  public static void main(String[] arguments) throws TException {
    TTransport socket = new TSocket("127.0.0.1", Integer.parseInt(arguments[0]));
    TTransport transport = arguments[1].equals("framed") ? new TFramedTransport(socket) : socket;
    transport.open();
    Batches.Client client = new Batches.Client(new TBinaryProtocol(transport));
    print("worker", client::get_worker_id);
    print("datacenter", client::get_datacenter_id);
    print("time", client::get_timestamp);
    for (int i = 0; i < 100; i++) {
      print("id", () -> client.get_id("java-client"));
    }
    print("ids", () -> client.get_ids("java-client", 5));
    print("agent", () -> client.get_id("java_client"));
    print("none", () -> client.get_id(null));
    print("batch", () -> client.get_ids("java-client", 0));
    transport.close();
  }

  private static void print(String name, Call call) throws TException {
    try {
      System.out.println(name + " " + call.reply());
    } catch (TApplicationException error) {
      System.out.println(name + " error " + error.getType() + " " + error.getMessage());
    }
  }
}
