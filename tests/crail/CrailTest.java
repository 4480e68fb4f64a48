// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.crail.ClientTest;
import org.apache.crail.namenode.NameNode;
import org.apache.crail.storage.StorageServer;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;

/**
 * Crail's namenode, a storage server and its ClientTest, in one process. Each server is ready when
 * it logs so.
 */
final class CrailTest {
  private static final CountDownLatch NAMENODE = new CountDownLatch(1);
  private static final CountDownLatch STORAGE = new CountDownLatch(1);

  private CrailTest() {}

  private interface Program {
    void run() throws Exception;
  }

  public static void main(String[] args) throws Exception {
    Logger.getLogger("").addHandler(new Readiness());
    start("namenode", () -> NameNode.main(new String[0]));
    NAMENODE.await();
    start("storage", () -> StorageServer.main(new String[] {"-t", args[0]}));
    STORAGE.await();
    Result result = new JUnitCore().run(ClientTest.class);
    result.getFailures().forEach(failure -> System.out.println(failure.getTrace()));
    int passed = result.getRunCount() - result.getFailureCount();
    System.out.println("ClientTest: " + passed + " of " + result.getRunCount());
    System.exit(result.wasSuccessful() ? 0 : 1);
  }

  private static void start(String name, Program program) {
    Thread thread =
        new Thread(
            () -> {
              try {
                program.run();
              } catch (Exception e) {
                e.printStackTrace();
                System.exit(2);
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Looks for the lines that say that a server serves. */
  private static final class Readiness extends Handler {
    @Override
    public void publish(LogRecord line) {
      String text = String.valueOf(line.getMessage());
      if (text.contains("opened server at")) {
        NAMENODE.countDown();
      } else if (text.contains("datanode statistics, freeBlocks")) {
        STORAGE.countDown();
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
