// Texts for gfx810: 16-bit memory formats in pairs, as gfx9 has them.
buffer_load_format_d16_x v0, off, s[4:7], s1
buffer_load_format_d16_xy v0, off, s[4:7], s1
buffer_load_format_d16_xy v[0:1], off, s[4:7], s1
buffer_load_format_d16_xyz v[0:1], off, s[4:7], s1
buffer_store_format_d16_xyzw v[0:1], v4, s[4:7], s1 idxen
buffer_store_format_d16_xyzw v[0:3], v4, s[4:7], s1 idxen
tbuffer_load_format_d16_xyz v[0:1], off, s[4:7], s1 format:[BUF_DATA_FORMAT_16_16_16_16]
tbuffer_store_format_d16_xy v0, off, s[4:7], s1
image_load v0, v[4:7], s[8:15] dmask:0x3 d16
image_load v[0:1], v[4:7], s[8:15] dmask:0x3 d16
image_load v[0:1], v[4:7], s[8:15] dmask:0x7 d16
image_load v[0:2], v[4:7], s[8:15] dmask:0xf tfe d16
s_mov_b64 s[0:1], xnack_mask
flat_load_dword v0, v[1:2]
