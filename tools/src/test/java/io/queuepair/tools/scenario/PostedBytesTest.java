// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PostedBytesTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static ObjectNode json(String text) throws JsonProcessingException {
    return (ObjectNode) MAPPER.readTree(text.replace('\'', '"'));
  }

  private static List<PostedBytes> posted(String verb, String wrs, String answer)
      throws JsonProcessingException {
    return PostedBytes.of("a", verb, json("{'wrs': [" + wrs + "]}"), json(answer));
  }

  @Test
  void ofAListTheRequestsBeforeTheRefusedOneArePosted() throws JsonProcessingException {
    String wrs =
        "{'opcode': 'SEND', 'sge': [{'mr': 'mr', 'off': 8, 'len': 4}]},"
            + "{'opcode': 'RDMA_READ', 'sge': [{'mr': 'mr', 'len': 2}, {'mr': 'other', 'len': 1}]},"
            + "{'opcode': 'SEND', 'sge': [{'mr': 'mr', 'len': 9}]}";

    assertThat(posted("post_send", wrs, "{'ret': 'EINVAL', 'bad_wr': 2}"))
        .containsExactly(
            new PostedBytes("a.mr", 8, 4, false),
            new PostedBytes("a.mr", 0, 2, true),
            new PostedBytes("a.other", 0, 1, true));
    assertThat(posted("post_send", wrs, "{'ret': 'EINVAL', 'bad_wr': 0}")).isEmpty();
    assertThat(posted("post_send", wrs, "{'ret': 0}")).hasSize(4);
  }

  @Test
  void receivesAreWritten() throws JsonProcessingException {
    String wr = "{'sge': [{'mr': 'mr', 'len': 64}]}";

    PostedBytes expected = new PostedBytes("a.mr", 0, 64, true);
    assertThat(posted("post_recv", wr, "{'ret': 0}")).containsExactly(expected);
    assertThat(posted("post_srq_recv", wr, "{'ret': 0}")).containsExactly(expected);
    assertThat(posted("poll_cq", wr, "{'ret': 0}")).isEmpty();
  }

  @Test
  void whatNoBufferHoldsIsNotShown() {
    assertThat(new PostedBytes("a.mr", 60, 4, false).isIn("a.mr", 64)).isTrue();
    assertThat(new PostedBytes("a.mr", 60, 5, false).isIn("a.mr", 64)).isFalse();
    assertThat(new PostedBytes("a.mr", Long.MAX_VALUE, 5, false).isIn("a.mr", 64)).isFalse();
    assertThat(new PostedBytes("a.mr", 0, 0, false).isIn("a.mr", 64)).isFalse();
    assertThat(new PostedBytes("a.mr", 0, 1, false).isIn("b.mr", 64)).isFalse();
  }
}
