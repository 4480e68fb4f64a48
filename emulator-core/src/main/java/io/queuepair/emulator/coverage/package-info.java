/**
 * What of RDMA a run has come across, and what it could have: plain values, and where they go when
 * a whole run of tests is looked at. The engine counts. Uses the profile only.
 */
package io.queuepair.emulator.coverage;
