// Addresses of buffers: lists of nodes that are followed by distances and by pointers.
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

layout(buffer_reference, std430, buffer_reference_align = 8) buffer Node { uint value, next; };
layout(push_constant) uniform Push { uvec2 nodes; };

void main()
{
    uint i = gl_GlobalInvocationID.x, sum = 0;
    Node n = Node(nodes);
    n = n[i];
    for (uint k = 0; k < 12; k++) {
        sum = sum * 3 + n.value;
        n = Node(nodes)[n.next];
    }
    b[i] = sum;
}
