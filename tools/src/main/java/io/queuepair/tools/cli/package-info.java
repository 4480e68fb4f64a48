/**
 * What commands share: how they fail, how they read and write files, how they write a GID, where
 * their device comes from, how they reach the other side of a test over TCP. No command lives here.
 */
package io.queuepair.tools.cli;
