// SPDX-License-Identifier: Apache-2.0
// A server and a client of librpma: the client writes, flushes, writes eight bytes at once and reads
// all of it again, and then sends a message and disconnects, after which the server looks at every
// byte.
//   rpma ADDRESS PORT
#include <arpa/inet.h>
#include <librpma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 1 << 16, EIGHT = BYTES - RPMA_ATOMIC_WRITE_ALIGNMENT };
enum { MESSAGE = 64, IMM = 0x1234, PRIME = 251 };
enum {
  USAGE = RPMA_MR_USAGE_READ_SRC | RPMA_MR_USAGE_READ_DST | RPMA_MR_USAGE_WRITE_SRC |
      RPMA_MR_USAGE_WRITE_DST | RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY | RPMA_MR_USAGE_SEND |
      RPMA_MR_USAGE_RECV
};

static char memory[BYTES] __attribute__((aligned(4096)));
static char copy[BYTES] __attribute__((aligned(4096)));
static struct rpma_peer *peer;
static struct rpma_mr_local *region, *copied;

static void check(int result, const char *what) {
  if (result != 0) {
    fprintf(stderr, "%s: %s\n", what, rpma_err_2str(result));
    exit(1);
  }
}

static void require(int holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "%s\n", what);
    exit(1);
  }
}

static void open_peer(const char *address, enum rpma_util_ibv_context_type type) {
  struct ibv_context *context;
  check(rpma_utils_get_ibv_context(address, type, &context), "rpma_utils_get_ibv_context");
  check(rpma_peer_new(context, &peer), "rpma_peer_new");
  check(rpma_mr_reg(peer, memory, BYTES, USAGE, &region), "rpma_mr_reg");
  check(rpma_mr_reg(peer, copy, BYTES, USAGE, &copied), "rpma_mr_reg");
}

static void expect_event(struct rpma_conn *connection, enum rpma_conn_event expected) {
  enum rpma_conn_event event;
  check(rpma_conn_next_event(connection, &event), "rpma_conn_next_event");
  require(event == expected, rpma_utils_conn_event_2str(event));
}

static struct ibv_wc completion(struct rpma_conn *connection) {
  struct rpma_cq *queue;
  struct ibv_wc completion;
  check(rpma_conn_get_cq(connection, &queue), "rpma_conn_get_cq");
  check(rpma_cq_wait(queue), "rpma_cq_wait");
  check(rpma_cq_get_wc(queue, 1, &completion, NULL), "rpma_cq_get_wc");
  require(completion.status == IBV_WC_SUCCESS, ibv_wc_status_str(completion.status));
  return completion;
}

static void close_all(struct rpma_conn *connection) {
  check(rpma_conn_disconnect(connection), "rpma_conn_disconnect");
  check(rpma_conn_delete(&connection), "rpma_conn_delete");
  check(rpma_mr_dereg(&copied), "rpma_mr_dereg");
  check(rpma_mr_dereg(&region), "rpma_mr_dereg");
  check(rpma_peer_delete(&peer), "rpma_peer_delete");
}

static void serve(const char *address, const char *port, int ready) {
  struct rpma_ep *endpoint;
  struct rpma_conn_req *request;
  struct rpma_conn *connection;
  char descriptor[64];
  size_t bytes;
  open_peer(address, RPMA_UTIL_IBV_CONTEXT_LOCAL);
  check(rpma_mr_get_descriptor_size(region, &bytes), "rpma_mr_get_descriptor_size");
  require(bytes <= sizeof descriptor, "the descriptor is long");
  check(rpma_mr_get_descriptor(region, descriptor), "rpma_mr_get_descriptor");
  check(rpma_ep_listen(peer, address, port, &endpoint), "rpma_ep_listen");
  close(ready);
  check(rpma_ep_next_conn_req(endpoint, NULL, &request), "rpma_ep_next_conn_req");
  check(rpma_conn_req_recv(request, copied, 0, MESSAGE, NULL), "rpma_conn_req_recv");
  struct rpma_conn_private_data data = {descriptor, (uint8_t)bytes};
  check(rpma_conn_req_connect(&request, &data, &connection), "rpma_conn_req_connect");
  expect_event(connection, RPMA_CONN_ESTABLISHED);
  struct ibv_wc message = completion(connection);
  require(message.byte_len == MESSAGE && ntohl(message.imm_data) == IMM, "the message is wrong");
  for (int i = 0; i < BYTES; i++) require(memory[i] == (char)(i % PRIME), "a byte is wrong");
  expect_event(connection, RPMA_CONN_CLOSED);
  check(rpma_ep_shutdown(&endpoint), "rpma_ep_shutdown");
  close_all(connection);
}

static void use(const char *address, const char *port) {
  struct rpma_conn_req *request;
  struct rpma_conn *connection;
  struct rpma_conn_private_data data;
  struct rpma_mr_remote *remote;
  open_peer(address, RPMA_UTIL_IBV_CONTEXT_REMOTE);
  check(rpma_conn_req_new(peer, address, port, NULL, &request), "rpma_conn_req_new");
  check(rpma_conn_req_connect(&request, NULL, &connection), "rpma_conn_req_connect");
  expect_event(connection, RPMA_CONN_ESTABLISHED);
  check(rpma_conn_get_private_data(connection, &data), "rpma_conn_get_private_data");
  check(rpma_mr_remote_from_descriptor(data.ptr, data.len, &remote), "descriptor");
  for (int i = 0; i < BYTES; i++) memory[i] = (char)(i % PRIME);
  const int on_error = RPMA_F_COMPLETION_ON_ERROR, always = RPMA_F_COMPLETION_ALWAYS;
  const enum rpma_flush_type visible = RPMA_FLUSH_TYPE_VISIBILITY;
  check(rpma_write(connection, remote, 0, region, 0, EIGHT, on_error, NULL), "rpma_write");
  check(rpma_flush(connection, remote, 0, EIGHT, visible, always, NULL), "rpma_flush");
  completion(connection);
  check(rpma_atomic_write(connection, remote, EIGHT, memory + EIGHT, on_error, NULL),
      "rpma_atomic_write");
  check(rpma_read(connection, copied, 0, remote, 0, BYTES, always, NULL), "rpma_read");
  completion(connection);
  require(memcmp(copy, memory, BYTES) == 0, "a byte that was read is wrong");
  check(rpma_mr_remote_delete(&remote), "rpma_mr_remote_delete");
  check(rpma_send_with_imm(connection, region, 0, MESSAGE, on_error, IMM, NULL),
      "rpma_send_with_imm");
  close_all(connection);
}

int main(int argc, char **argv) {
  int ready[2], status;
  char byte;
  require(argc == 3 && pipe(ready) == 0, "usage: rpma ADDRESS PORT");
  pid_t server = fork();
  if (server == 0) {
    close(ready[0]);
    serve(argv[1], argv[2], ready[1]);
    return 0;
  }
  close(ready[1]);
  require(read(ready[0], &byte, 1) == 0, "read");
  use(argv[1], argv[2]);
  return waitpid(server, &status, 0) == server && status == 0 ? 0 : 1;
}
