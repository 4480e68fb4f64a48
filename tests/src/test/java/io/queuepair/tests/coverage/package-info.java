/** What of RDMA devices can come across, and that the tests come across all of it. */
package io.queuepair.tests.coverage;
