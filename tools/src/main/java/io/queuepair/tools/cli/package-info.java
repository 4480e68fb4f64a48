/**
 * What commands share: how they fail, how they write a GID, where their device comes from. No
 * command lives here.
 */
package io.queuepair.tools.cli;
