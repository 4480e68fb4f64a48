// SPDX-License-Identifier: Apache-2.0
// Ranks of MPI, two or more, that send messages of 1 B to 1 MB around, and look at every byte.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 20, STEP = 32, PRIME = 251 };

static unsigned char sent[MOST], received[MOST];

static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2) fail("there must be two ranks");
  int next = (rank + 1) % size, before = (rank + size - 1) % size;
  for (int i = 0; i < MOST; i++) sent[i] = (unsigned char)(i % PRIME + rank);
  for (int bytes = 1; bytes <= MOST; bytes *= STEP) {
    memset(received, 0, sizeof received);
    MPI_Sendrecv(sent, bytes, MPI_BYTE, next, 7, received, bytes, MPI_BYTE, before, 7,
        MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < bytes; i++)
      if (received[i] != (unsigned char)(i % PRIME + before)) fail("a byte is wrong");
  }
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (sum != size * (size - 1) / 2) fail("the sum is wrong");
  MPI_Finalize();
  return 0;
}
