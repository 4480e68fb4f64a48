/** Datagrams that should not be: a short form of what {@code queuepair fuzz} runs. */
package io.queuepair.tests.tools.fuzz;
