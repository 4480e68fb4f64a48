// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.verbs.QueuePair;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The lines of C and Java on pages of verbs and of transitions compile, with objects around them.
 */
final class SnippetsTest {
  private static final String C_OF_VERBS =
      """
      static struct ibv_context *ctx; static struct ibv_device *device; static struct ibv_pd *pd;
      static struct ibv_mr *mr; static struct ibv_mw *mw; static struct ibv_qp *qp;
      static struct ibv_qp_ex *qpx; static struct ibv_cq *cq; static struct ibv_srq *srq;
      static struct ibv_ah *ah; static struct ibv_comp_channel *channel; static struct ibv_wc wc;
      static struct ibv_async_event event; static struct ibv_sge sge;
      static union ibv_gid peer, group, peer_gid, peer_gid2; static void *context;
      static char buf[4096];
      static int gid_index; static unsigned taken, peer_qpn, peer_sq_psn, my_sq_psn;
      static void handle(struct ibv_wc *done) { (void)done; }
      """;
  private static final String C_OF_CONNECTIONS =
      """
      static struct rdma_event_channel *channel; static struct rdma_cm_id *id, *listener;
      static struct rdma_cm_event *event; static struct sockaddr_in peer, group;
      static struct rdma_addrinfo *info; static struct ibv_qp_init_attr init;
      static struct ibv_pd *pd;
      """;
  private static final String JAVA_OF_VERBS =
      """
      Context context; Device device; ProtectionDomain pd; MemoryRegion mr; MemoryWindow mw;
      MwBind bind; QueuePair qp; CompletionQueue cq; SharedReceiveQueue srq; AddressHandle ah;
      ExtendedQueuePair qpx; CompletionChannel channel; AsyncEvent event; WrBatch batch;
      SrqAttr attr;
      Gid peer, group, peerGid, peerGid2; int gidIndex, taken, peerQpn, peerSqPsn, mySqPsn;
      void handle(WorkCompletion done) {}
      """;
  private static final String JAVA_OF_CONNECTIONS =
      """
      RdmaCm cm; RdmaEventChannel channel; RdmaCmId id, listener, request; RdmaCmEvent event;
      InetSocketAddress peer, group; ProtectionDomain pd; CompletionQueue cq; QpInitAttr init;
      String node, service; RdmaAddrinfo hints; List<RdmaAddrinfo> found;
      """;

  @TempDir private Path folder;

  /** Blocks of code on pages, each once, without the prototype, the first of a page of a verb. */
  private static Set<String> snippets(String pages, String language) {
    Pattern block = Pattern.compile("(?s)<code class=\"language-" + language + "\">(.*?)</code>");
    Set<String> found = new LinkedHashSet<>();
    MadeSite.FILES.forEach(
        (path, html) -> {
          if (path.matches(pages)) {
            boolean hasPrototype = path.startsWith("verbs/") && language.equals("c");
            block
                .matcher(html)
                .results()
                .skip(hasPrototype ? 1 : 0)
                .map(SnippetsTest::text)
                .forEach(found::add);
          }
        });
    return found;
  }

  private static String text(MatchResult code) {
    return code.group(1)
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&amp;", "&");
  }

  private String source(String begin, String method, Set<String> snippets, String end) {
    StringBuilder text = new StringBuilder(begin);
    for (String snippet : snippets) {
      text.append(method.formatted(text.length())).append(" {\n").append(snippet).append("}\n");
    }
    return text.append(end).toString();
  }

  @Test
  void everyBlockOfJavaCompiles() throws IOException {
    Set<String> verbs = snippets("verbs/ibv_.*|states/.*-to-.*", "java");
    Set<String> connections = snippets("verbs/rdma_.*", "java");
    String head =
        "import io.queuepair.rdmacm.*;\nimport io.queuepair.verbs.*;\nimport java.net.*;\n"
            + "import java.nio.*;\nimport java.time.*;\nimport java.util.*;\nclass ";
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-proc:none", "-d", folder.toString(), "-cp", classPath()));
    for (String name : List.of("Verbs_", "Connections_")) {
      boolean isOfVerbs = name.equals("Verbs_");
      String text =
          source(
              head + name + " {\n" + (isOfVerbs ? JAVA_OF_VERBS : JAVA_OF_CONNECTIONS),
              "void m%d() throws Exception",
              isOfVerbs ? verbs : connections,
              "}\n");
      arguments.add(Files.writeString(folder.resolve(name + ".java"), text).toString());
    }
    ByteArrayOutputStream said = new ByteArrayOutputStream();

    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, said, said, arguments.toArray(String[]::new));

    assertThat(code).as(said.toString(StandardCharsets.UTF_8)).isZero();
    assertThat(verbs).hasSizeGreaterThan(50);
    assertThat(connections).hasSizeGreaterThan(15);
  }

  /** Where the classes of the API are: on the path of classes or of modules. */
  private static String classPath() {
    return List.of(QueuePair.class, RdmaCmId.class).stream()
        .map(type -> type.getProtectionDomain().getCodeSource().getLocation().getPath())
        .collect(Collectors.joining(System.getProperty("path.separator")));
  }

  @Test
  void everyBlockOfCCompiles() throws IOException, InterruptedException {
    Assumptions.assumeTrue(
        Files.exists(Path.of("/usr/include/infiniband/verbs.h")), "libibverbs-dev is not there");
    Assumptions.assumeTrue(
        Files.exists(Path.of("/usr/include/rdma/rdma_cma.h")), "librdmacm-dev is not there");
    Assumptions.assumeTrue(Files.exists(Path.of("/usr/bin/gcc")), "gcc is not there");
    String head =
        """
        #include <err.h>
        #include <errno.h>
        #include <arpa/inet.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <rdma/rdma_cma.h>
        """;
    String verbs =
        source(
            head + C_OF_VERBS, "void f%d(void)", snippets("verbs/ibv_.*|states/.*-to-.*", "c"), "");
    String connections =
        source(head + C_OF_CONNECTIONS, "void f%d(void)", snippets("verbs/rdma_.*", "c"), "");

    for (String text : List.of(verbs, connections)) {
      Path file = Files.writeString(folder.resolve("snippets.c"), text);
      Process gcc =
          new ProcessBuilder(
                  "gcc", "-fsyntax-only", "-Wall", "-Werror", "-Wno-unused", file.toString())
              .redirectErrorStream(true)
              .start();
      String said = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(gcc.waitFor()).as(said).isZero();
    }
  }
}
